# For scripts to read by `source`, from the folder of the project:
#
#   tagged_repository FOLDER    # makes a bare repository there, in which the files as they are have the tag of their version
tagged_repository() {
    local index version tree commit
    version=$(sed -n 's/.*static let version = "\([0-9.]*\).*/\1/p' Sources/Workbench/coredata/Release.swift)
    [ -n "$version" ] || { echo "Sources/Workbench/coredata/Release.swift names no version" >&2; return 1; }
    git init --quiet --bare "$1"
    index=$(mktemp -u)
    GIT_INDEX_FILE=$index git add --all
    tree=$(GIT_INDEX_FILE=$index git write-tree)
    rm -f "$index"
    commit=$(GIT_AUTHOR_NAME=- GIT_AUTHOR_EMAIL=- GIT_COMMITTER_NAME=- GIT_COMMITTER_EMAIL=- \
        git commit-tree "$tree" -m "$version")
    git push --quiet "$1" "$commit:refs/tags/$version"
    echo "$version"
}
