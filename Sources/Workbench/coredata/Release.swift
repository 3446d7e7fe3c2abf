/// What the program says of itself.
enum Release {
    static let name = "coredata"
    /// The number of the release, as CHANGELOG.md has it.
    static let version = "0.1.0"
}
