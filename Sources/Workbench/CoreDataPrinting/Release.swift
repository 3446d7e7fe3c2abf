/// The program's name and version.
package enum Release {
    package static let name = "coredata"
    /// The version of the release, as in CHANGELOG.md.
    package static let version = "0.2.0"
}
