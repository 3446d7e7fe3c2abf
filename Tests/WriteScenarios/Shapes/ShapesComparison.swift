import CoreData

/// The comparison that another process makes: each store with the text that was written beside it.
package enum ShapesComparison {
    /// Writes what a store is to hold beside it.
    package static func expect(_ reference: Reference, at store: URL) throws {
        let text = reference.lines.joined(separator: "\n")
        try Data(text.utf8).write(to: store.appendingPathExtension("expected"))
    }

    /// What differs in the stores of a folder; the last line says how many there were.
    package static func differences(in folder: URL) throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".expected") }
        var differences: [String] = []
        for name in names.sorted() {
            let store = folder.appendingPathComponent(String(name.dropLast(".expected".count)))
            let expected = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            let context = try Opened.context(store.path, ShapesModel.make())
            context.dataErrorHandler = { _, _ in }
            let lines = expected.split(separator: "\n").map(String.init)
            differences += ShapesRun.differences(try ShapesReader.lines(context), lines).map {
                "\(store.lastPathComponent): \($0)"
            }
        }
        return differences + ["\(names.count) stores compared"]
    }
}
