/// The program's name and version.
enum Release {
    static let name = "coredata"
    /// The version of the release, as in CHANGELOG.md.
    static let version = "0.1.0"
}
