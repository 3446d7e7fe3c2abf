import CoreDataTracing
import Testing

/// Which functions of a stack are the library's.
@Suite struct SymbolModuleTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources")

    /// The folders of the modules by their names.
    private static let folders: [String: URL] = {
        let files = FileManager.default
        let levels = (try? files.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)) ?? []
        let modules = levels.flatMap {
            (try? files.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)) ?? []
        }
        return Dictionary(modules.map { ($0.lastPathComponent, $0) }) { first, _ in first }
    }()

    /// The modules of the package that the sources of a module import.
    private static func imports(of module: String) throws -> Set<String> {
        let folder = try #require(folders[module])
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        var found: Set<String> = []
        for file in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            for line in text.split(separator: "\n") {
                guard let match = line.wholeMatch(of: /(?:@\w+(?:\(\w+\))? |public )*import (\w+)/) else { continue }
                found.insert(String(match.1))
            }
        }
        return found.filter { folders[$0] != nil }
    }

    @Test("the library's modules are all those that its products for programs are made of (BRW-42)")
    func librarysModulesAreAllThoseThatItsProductsForPrograms() throws {
        var (found, open): (Set<String>, [String]) = ([], ["CoreData", "CoreDataPostgres"])
        while let module = open.popLast() {
            guard found.insert(module).inserted else { continue }
            open += try Self.imports(of: module)
        }
        // Those in C have no names of Swift.
        let swift = found.filter { !$0.hasPrefix("C") || $0.hasPrefix("CoreData") }
        #expect(swift == SymbolModule.library)
    }

    @Test(
        "a function is of the module that it is written in, whatever stands before it (BRW-42)",
        arguments: [
            ("CoreDataPostgres.PostgresStore.(lastNumber in _203D).getter : Swift.Int", "CoreDataPostgres"),
            ("static PostgresKit.PostgresConnection.(start in _44B8)(PostgresKit.P) -> ()", "PostgresKit"),
            (
                "closure #1 (App.Hero) -> () in (extension in CoreDataPostgres):PostgresKit.Result.at()",
                "CoreDataPostgres"
            ),
            ("$defer #1 () -> () in static CoreDataGraph.Cache.fill(for: Swift.Int) -> ()", "CoreDataGraph"),
            ("partial apply forwarder for closure #2 () -> A in App.Page.load(of: Swift.Int) -> ()", "App"),
            ("static (extension in App):CoreDataGraph.NSManagedObject.names(in: Swift.Int)", "App"),
            ("protocol witness for Swift.Hashable.hash() in conformance App.Hero : Swift.Hashable in App", "App"),
            ("generic specialization <Swift.Int> of SQLiteKit.Statement.column(Swift.Int) -> A", "SQLiteKit"),
            ("App.main() -> ()", "App"), ("main", "main"), ("sqlite3_step", "sqlite3_step"), ("", ""),
        ])
    func functionIsOfModuleThatItIsWritten(function: String, module: String) {
        #expect(SymbolModule.name(of: function) == module)
        #expect(SymbolModule.isLibrary(function) == SymbolModule.library.contains(module))
    }

    @Test("thunks between the library and a program are not call sites (BRW-42)")
    func thunksAreNotCallSites() {
        for name in [
            "generic specialization <App.Hero> of Swift.Sequence.map<A>((A) -> A) -> [A]",
            "reabstraction thunk helper from @callee_guaranteed () -> () to @escaping () -> ()", "coredata_frames",
        ] {
            #expect(SymbolModule.isLibrary(name), "\(name)")
        }
        #expect(!SymbolModule.isLibrary("main"))
    }
}
