# Requests, bytes, errors and the longest time of each path, then of each folder, then of each kind of file.
function add(what) {
    requests[what]++
    bytes[what] += $6
    errors[what] += $5 >= 400
    if ($7 > longest[what] + 0) longest[what] = $7 + 0
}
{
    add($4)
    split($4, parts, "/")
    add("folder " parts[2])
    kind = $4
    sub(/^.*\./, "", kind)
    add("kind " kind)
}
END {
    PROCINFO["sorted_in"] = "@ind_str_asc"
    for (what in requests) print what, requests[what], bytes[what], errors[what], longest[what]
}
