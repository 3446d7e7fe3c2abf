import CoreDataSourceScanning
import TestBasics
import Testing

/// The names that the bridge gives to accessors are those by which a compiled source calls them.
@Suite(.timeLimit(.minutes(20))) struct AccessorSymbolTests {
    /// The source as the compiler gets it, without modules of this package.
    private static let hero = """
        import Foundation
        public enum Kind: Int16 { case a, b }
        public typealias Names = [String]
        private typealias Hidden = Set<Power>
        open class Hero: NSObject {
            @NSManaged public var name: String?
            @NSManaged open var birth: Date?
            @NSManaged public internal(set) var age: Int16
            @NSManaged fileprivate var powers: Hidden?
            @NSManaged private var weight: Double
            @NSManaged public final var kind: Kind
            @NSManaged public var names: Names?
            @NSManaged var nested: Outer.HeroPower?
            @NSManaged var map: [String: [Int: Set<Power>]]?
            @NSManaged var box: Box<Hero, Kind?>?
            @NSManaged var `class`: NSOrderedSet?
            func use(_ power: Power) {
                (powers, weight, name) = (nil, weight + 1, nil)
                addToPowers(power)
                removeFromPowers(NSSet())
                insertIntoItems(power, at: 1)
                nested?.decimal = nested?.decimal
            }
        }
        open class Power: NSObject { @NSManaged public var hero: Hero? }
        public struct Box<T, U> {}
        public enum Outer {
            public class HeroPower: NSObject { @NSManaged public var heroPower: UUID? }
        }
        extension Hero {
            @NSManaged public func addToPowers(_ value: Power)
            @NSManaged func removeFromPowers(_ values: NSSet)
            @NSManaged func insertIntoItems(_ value: Power, at idx: Int)
        }
        extension Outer.HeroPower { @NSManaged var decimal: NSDecimalNumber? }
        """

    /// The symbols that a compiled source needs of its own module.
    private func undefined(_ sources: [String: String], module: String, in folder: URL) throws -> Set<String> {
        var files: [String] = []
        for (name, text) in sources {
            let file = folder.appendingPathComponent(name)
            try Data(text.utf8).write(to: file)
            files.append(file.path)
        }
        let object = folder.appendingPathComponent("module.o")
        try Toolchain.output(
            "swiftc",
            ["-c", "-parse-as-library", "-wmo", "-module-name", module, "-o", object.path] + files.sorted())
        let listing = try Toolchain.output("nm", ["-u", object.path])
        return Set(listing.split(whereSeparator: \.isWhitespace).map(String.init).filter { $0.hasPrefix("$s") })
    }

    @Test("the names of accessors are those that the compiler calls, whatever their types and accesses (KVC-05)")
    func namesOfAccessorsAreThoseThatCompilerCalls() throws {
        let folder = try TemporaryFolder()
        let sources = ["Hero.swift": Self.hero]
        let module = ScannedModule(
            name: "Models", files: sources.map { SourceScanner().scan($1, file: $0) })
        let symbols = try AccessorSymbols(
            of: module, compiler: try Toolchain.url("swiftc"), folder: folder.url.appendingPathComponent("stub"))
        let called = try undefined(sources, module: "Models", in: folder.url)
        let given = Set(
            symbols.entries.flatMap { entry in
                switch entry.member {
                case .property(_, let getter, let setter): [getter, setter]
                case .method(_, let symbol): [symbol]
                }
            })
        let own = called.filter { $0.hasPrefix("$s6Models") }
        #expect(own.count == 31)
        #expect(own == given)
    }

    @Test("an unknown type is an error at its place in the real source") func unknownType() throws {
        let folder = try TemporaryFolder()
        let source = "import Foundation\nclass Hero {\n  @NSManaged var power: Missing?\n}\n"
        let module = ScannedModule(name: "Models", files: [SourceScanner().scan(source, file: "/x/Hero.swift")])
        let failure = #expect(throws: (any Error).self) {
            try AccessorSymbols(of: module, compiler: try Toolchain.url("swiftc"), folder: folder.url)
        }
        let text = failure.map { "\($0)" } ?? ""
        #expect(text.contains("/x/Hero.swift:3:") && text.contains("Missing"), "\(text)")
    }
}
