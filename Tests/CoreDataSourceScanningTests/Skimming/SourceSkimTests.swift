import CoreDataSourceScanning
import Testing

/// What the parser sees of a source.
@Suite struct SourceSkimTests {
    @Test("bodies and functions that do not matter are hidden, and nothing else moves")
    func bodiesAndOtherFunctionsAreHidden() {
        let source = """
            class Hero: NSManagedObject {
                @NSManaged var name: String?
                func first() { name = "}" }
                @discardableResult public static func second<T>(
                    _ value: T
                ) async throws -> [T] where T: Hashable {
                    [value] // }
                }
                var title: String { name ?? "" }
                func validateAge(_ value: AutoreleasingUnsafeMutablePointer<Any?>) throws { throw Bad() }
                init(name: String = { "" }()) { self.name = name }
            }
            """
        let expected = """
            class Hero: NSManagedObject {
                @NSManaged var name: String?
                func first() {            }
            ....
            ....
            ....
            ....
            ....
                var title: String {            }
                func validateAge(_ value: AutoreleasingUnsafeMutablePointer<Any?>) throws {             }
                init(name: String = {    }()) {                  }
            }
            """
        let skimmed = SourceSkim.text(of: source) ?? ""
        let lines = zip(skimmed.split(separator: "\n"), expected.split(separator: "\n"))
        for (line, wanted) in lines where wanted != "...." { #expect(line == wanted) }
        for (line, wanted) in lines where wanted == "...." { #expect(line.allSatisfy { $0 == " " }) }
        #expect(skimmed.split(separator: "\n").map(\.count) == source.split(separator: "\n").map(\.count))
    }

    @Test("accessors keep their heads; one that asks for its own key keeps its body") func accessorsKeepTheirHeads()
        throws
    {
        let skimmed = try #require(
            SourceSkim.text(
                of: """
                    class A {
                        var a: Int { get async throws { await b() } }
                        var c: Int = 3 { didSet { print(c) } }
                        var d: Int? { value(forKey: "d") as? Int }
                        var e: Int { @MainActor get { 1 } nonmutating set { print(1) } }
                        subscript(f: Int) -> Int { _read { yield f } }
                    }
                    """))
        for text in [
            "{ get async throws {           } }", "{ didSet {          } }", #"{ value(forKey: "d") as? Int }"#,
            "{ @MainActor get {   } nonmutating set {          } }", "{ _read {         } }",
        ] { #expect(skimmed.contains(text), "\(skimmed)") }
    }

    @Test("a function keeps its head where something of it would be left, or would be missed")
    func functionKeepsItsHeadWhereSomethingOfItWouldBeLeft() throws {
        let skimmed = try #require(
            SourceSkim.text(
                of: """
                    class A {
                        deinit { a() }
                        #if B
                            @objc
                        #endif
                        func c() { a() }
                        func d() { a() } ; let e = 3
                        @Wrapper<Int> func f() { a() }
                        @NSManaged func g() { a() }
                        let h = 3
                        override func i() { a() }
                        func j() { a() }
                        func k<T>(_ t: T) { a() }
                    }
                    """))
        for name in ["c()", "d()", "f()", "g()", "i()"] {
            #expect(skimmed.contains("func \(name) {     }"), "\(skimmed)")
        }
        #expect(!skimmed.contains("func j") && !skimmed.contains("func k"), "\(skimmed)")
    }

    @Test("most of what generated sources have in bodies is hidden")
    func mostOfWhatGeneratedSourcesHaveInBodiesIsHidden() {
        for seed in 1...10 {
            var writer = RandomSource(seed: UInt64(seed))
            let skimming = Skimming(writer.text())
            #expect(skimming.isSwift, "\(skimming.source)")
            #expect(skimming.agrees, "\(skimming.source)")
            #expect(skimming.hiddenShare >= 0.6, "seed \(seed): \(skimming.hiddenShare)")
        }
    }

    @Test("a source in doubt is left to the parser as a whole", arguments: HardSources.doubtful)
    func sourceInDoubtIsLeftToParserAsWhole(_ source: String) {
        #expect(SourceSkim.text(of: source) == nil)
        let scanner = SourceScanner()
        #expect(scanner.scan(source, file: "A.swift") == scanner.scan(whole: source, file: "A.swift"))
    }
}
