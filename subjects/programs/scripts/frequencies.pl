# The most frequent words of a text in small letters, then the most frequent pairs of words in one line.
use strict;
use warnings;

my (%words, %pairs);
while (my $line = <STDIN>) {
    $line = lc $line;
    $line =~ tr/.//d;
    my $before;
    while ($line =~ /(\S+)/g) {
        $words{$1}++;
        $pairs{"$before $1"}++ if defined $before;
        $before = $1;
    }
}
for my $counts (\%words, \%pairs) {
    my @ordered = sort { $counts->{$b} <=> $counts->{$a} || $a cmp $b } keys %$counts;
    splice @ordered, 500 if @ordered > 500;
    print "$counts->{$_} $_\n" for @ordered;
}
