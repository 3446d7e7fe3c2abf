/// What is known of a declared type.
struct TypeDeclaration: Sendable {
    let identifier: String
    /// The identifiers of the types that it conforms to directly.
    let parents: [String]
    /// Without a dot, the preferred one first.
    let extensions: [String]
    /// Without parameters, the preferred one first.
    let mimeTypes: [String]
    let title: String?

    var tags: [UTTagClass: [String]] {
        var tags: [UTTagClass: [String]] = [:]
        if !extensions.isEmpty { tags[.filenameExtension] = extensions }
        if !mimeTypes.isEmpty { tags[.mimeType] = mimeTypes }
        return tags
    }

    init(
        identifier: String, parents: [String], extensions: [String] = [], mimeTypes: [String] = [], title: String? = nil
    ) {
        (self.identifier, self.parents, self.extensions) = (identifier, parents, extensions)
        (self.mimeTypes, self.title) = (mimeTypes, title)
    }

    /// A row of the module's own table: identifier, parents, extensions, media types and title, parted by bars; lists by spaces.
    ///
    /// - Returns: Nil for a line that has not five columns, which a test of the table reports.
    init?(row: Substring) {
        let columns = row.split(separator: "|", omittingEmptySubsequences: false).map { column in
            column.split(separator: " ").map(String.init)
        }
        guard columns.count == 5, let identifier = columns[0].first else { return nil }
        self.init(
            identifier: identifier, parents: columns[1], extensions: columns[2], mimeTypes: columns[3],
            title: columns[4].isEmpty ? nil : columns[4].joined(separator: " "))
    }
}
