/// The module that a function belongs to, by the name that the Swift runtime gives for its symbol.
package enum SymbolModule {
    /// The modules of the library, including its SQLite and PostgreSQL stores, that a program links.
    package static let library: Set<String> = [
        "CoreData", "CoreDataFoundation", "CoreDataGraph", "CoreDataMigration", "CoreDataModeling", "CoreDataPostgres",
        "CoreDataRecordStores", "CoreDataSQL", "CoreDataSQLite", "CoreDataStore", "PostgresKit", "SQLiteKit",
    ]
    /// Modules whose functions, such as `map`, can be on the stack between the library and the program that calls it.
    private static let standard: Set<String> = ["Swift", "Foundation", "FoundationEssentials", "Synchronization"]

    /// Whether a function cannot be a call site of the program: it is the library's, the standard library's,
    /// Foundation's or a thunk of the compiler.
    package static func isLibrary(_ function: String) -> Bool {
        let module = name(of: function)
        return library.contains(module) || standard.contains(module) || function.hasPrefix("coredata_")
            || function.hasPrefix("reabstraction thunk")
    }

    /// Returns the name of the module that declares a function; for a function that is not Swift's, its own name.
    ///
    /// Demangled names put descriptions such as `closure #1 (A.B) -> C in …` before the function; they end with ` in `,
    /// ` of ` or ` for `. The module of an extension precedes the type: `static (extension in
    /// App):CoreDataGraph.NSManagedObject.names()`.
    package static func name(of function: String) -> String {
        var text = innermost(function)
        while let end = text.firstIndex(of: " "), text[..<end].allSatisfy({ $0.isLowercase || "@-_".contains($0) }) {
            text = text[text.index(after: end)...]
        }
        let mark = "(extension in "
        if text.hasPrefix(mark) { return String(text.dropFirst(mark.count).prefix { $0 != ")" }) }
        return String(text.prefix { $0 != "." })
    }

    /// Returns the text after the last ` in `, ` of ` or ` for ` that is outside of brackets.
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
