"""Prepare a study before its first run: data sets, builds, versions, prepared copies."""

from headtohead.execute.context.study_context import StudyContext, part_key
from headtohead.execute.data.datasets import data_set, data_set_folder
from headtohead.execute.prepare.build import build
from headtohead.execute.prepare.missing_confinement import missing_confinement
from headtohead.execute.prepare.native_build import native_build
from headtohead.execute.prepare.prepared_data import make_copies
from headtohead.execute.prepare.versions import version, version_argv
from headtohead.model.plan import Plan, PlannedExperiment
from headtohead.model.study.workload import DataSet
from headtohead.store.fingerprint import folder_sha256


def prepare(study_context: StudyContext, plan: Plan) -> None:
    """Make every data set, build and prepared copy that the plan needs; raises SubjectError if one fails.

    First show where this machine confines programs less than others do.
    """
    for each in missing_confinement(study_context.environment):
        study_context.show(each)
    versions: dict[tuple[str, tuple[str, ...]], str] = {}
    for experiment in plan.experiments:
        if experiment.data is not None:
            _provide_data(study_context, experiment, experiment.data)
        for treatment in experiment.treatments:
            userland = study_context.userland(treatment)
            for part in study_context.parts(experiment, treatment):
                subject, key = part.subject, part_key(part, experiment, treatment)
                native = native_build(study_context, subject, part.settings)
                if native is not None:
                    study_context.natives[key] = native.folder
                argv = version_argv(subject, {**part.settings, **study_context.words(experiment, treatment, part)})
                of = userland or native
                facts = "" if of is None else of.facts
                if (facts, argv) not in versions:
                    root = None if userland is None else userland.root
                    versions[facts, argv] = version(study_context.environment, argv, facts=facts, root=root)
                found = study_context.versions[key] = versions[facts, argv]
                if subject.build is not None:
                    made = build(study_context, subject, part.settings, version=found, userland=userland)
                    study_context.builds[key] = made
    make_copies(study_context, plan)


def _provide_data(study_context: StudyContext, experiment: PlannedExperiment, data: DataSet) -> None:
    """Make a data set on this machine unless it is there; on a bench, send it to the machines that use it."""
    environment, datasets, name = study_context.environment, study_context.datasets, experiment.name
    if not data.files and not data_set_folder(environment.at_home.cache, datasets, data).is_dir():
        study_context.show(f"Generating the data set {data.set}; it is kept for later studies.")
    files_from = study_context.workload(experiment).files_from
    folder = data_set(environment.at_home, datasets, data, files_from=files_from)
    study_context.data[name] = (folder, folder_sha256(folder))
    if environment.elsewhere is not None:
        study_context.local_data[name] = folder
        study_context.data[name] = (environment.elsewhere.push(folder), study_context.data[name][1])
        for label, driver in environment.drivers.items():
            if driver.elsewhere is not None:
                study_context.far_data[name, label] = driver.elsewhere.push(folder)
