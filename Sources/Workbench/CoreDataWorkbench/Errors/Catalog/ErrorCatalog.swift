/// All error codes of the library, by subject.
package enum ErrorCatalog {
    /// The subjects with their entries, in the order of their codes.
    package static let subjects: [(title: String, entries: [ErrorEntry])] = [
        ("Validation", validation), ("Objects and conflicts", objects), ("Stores and saves", stores),
        ("Migration", migration), ("History", history), ("Files and devices", files),
    ]

    private static let byCode = Dictionary(
        subjects.flatMap(\.entries).map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    /// The entry of a code; nil if the catalog does not have one.
    package static func entry(_ code: Int) -> ErrorEntry? { byCode[code] }
}
