/// The module that a function belongs to, by the name that the Swift runtime gives for its symbol.
package enum SymbolModule {
    /// The modules that a program has of the library with its stores in files and on servers.
    package static let library: Set<String> = [
        "CoreData", "CoreDataFoundation", "CoreDataGraph", "CoreDataMigration", "CoreDataModeling", "CoreDataPostgres",
        "CoreDataRecordStores", "CoreDataSQL", "CoreDataSQLite", "CoreDataStore", "PostgresKit", "SQLiteKit",
    ]
    /// Modules whose functions, such as `map`, stand between the library and who calls it.
    private static let standard: Set<String> = ["Swift", "Foundation", "FoundationEssentials", "Synchronization"]

    /// Whether a function is not a call site of a program: it is the library's, or stands between it and the program.
    package static func isLibrary(_ function: String) -> Bool {
        let module = name(of: function)
        return library.contains(module) || standard.contains(module) || function.hasPrefix("coredata_")
            || function.hasPrefix("reabstraction thunk")
    }

    /// The module's name; for a function that is not Swift's, the function's own.
    ///
    /// What is not the function itself stands before it, closed by one of three words (`closure #1 (A.B) -> C in …`), and the
    /// module of an extension before the type: `static (extension in App):CoreDataGraph.NSManagedObject.names() -> …`.
    package static func name(of function: String) -> String {
        var text = innermost(function)
        while let end = text.firstIndex(of: " "), text[..<end].allSatisfy({ $0.isLowercase || "@-_".contains($0) }) {
            text = text[text.index(after: end)...]
        }
        let mark = "(extension in "
        if text.hasPrefix(mark) { return String(text.dropFirst(mark.count).prefix { $0 != ")" }) }
        return String(text.prefix { $0 != "." })
    }

    /// What follows the last ` in `, ` of ` or ` for ` outside of brackets.
    private static func innermost(_ function: String) -> Substring {
        var (depth, start) = (0, function.startIndex)
        for index in function.indices {
            switch function[index] {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case " " where depth == 0:
                let rest = function[index...]
                guard let word = [" in ", " of ", " for "].first(where: rest.hasPrefix) else { continue }
                start = function.index(index, offsetBy: word.count)
            default: break
            }
        }
        return function[start...]
    }
}
