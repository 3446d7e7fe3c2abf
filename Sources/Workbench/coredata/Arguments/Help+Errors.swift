import CoreDataWorkbench

extension Help {
    /// The meaning, causes and cures of an error code; nil for a word that is not a number.
    ///
    /// - Throws: `UsageError` for a number that no error of Core Data has.
    static func text(ofErrorCode word: String) throws -> String? {
        guard let code = Int(word) else { return nil }
        guard let entry = ErrorCatalog.entry(code) else {
            throw UsageError(
                "there is no error \(code) of Core Data",
                hint: "codes are at the end of messages: [134100]; those of classes are the program's own",
                command: nil)
        }
        return entry.paragraphs.map { wrapped($0, indent: 0) }.joined(separator: "\n\n") + "\n"
    }
}
