import TestBasics

/// Swift sources made at random: valid, and with all that is hard about the ends of bodies.
struct RandomSource {
    private var random: SeededRandom
    private var number = 0

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    private mutating func pick(_ texts: [String]) -> String { texts[random.next(below: texts.count)] }

    private mutating func name(_ word: String) -> String {
        number += 1
        return word + String(number)
    }

    /// A source with some types.
    mutating func text() -> String {
        var text = "import CoreData\n"
        for _ in 0..<3 { text += type(depth: 2) }
        return text
    }

    private mutating func type(depth: Int) -> String {
        let head = pick(["final class ", "public class ", "@objc(X) open class ", "struct ", "enum ", "actor "])
        var text = head + name("Type") + pick([": NSManagedObject", "<T>: Base<T> where T: Hashable", ""]) + " {\n"
        for _ in 0..<8 { text += member(depth: depth) }
        return text + "}\n"
    }

    private mutating func member(depth: Int) -> String {
        switch random.next(below: 10) {
        case 0: return "    @NSManaged public var \(name("managed")): Set<String>?\n"
        case 1: return "    var \(name("computed")): Int {\n" + statements(depth: 2) + "    }\n"
        case 2: return "    override var \(name("plain")): Int { get async throws { 1 } }\n"
        case 3 where depth > 0: return type(depth: depth - 1)
        case 4: return "    #if DEBUG\n" + function() + "    #else\n" + function() + "    #endif\n"
        default: return function()
        }
    }

    private mutating func function() -> String {
        let head = pick(["    ", "    @discardableResult\n    public static ", "    override ", "    private final "])
        let signature = pick([
            "()", "(_ a: Int, b: () -> Void = { })", "<T>(_ t: T) async throws -> T? where T: Hashable",
        ])
        return head + "func \(name("call"))" + signature + " {\n" + statements(depth: 3) + "    }\n"
    }

    private mutating func statements(depth: Int) -> String {
        var text = ""
        for _ in 0..<4 { text += "        " + statement(depth: depth) + "\n" }
        return text
    }

    private mutating func statement(depth: Int) -> String {
        guard depth > 0 else { return "print(\"done {\")" }
        // A line of its own: it may be a directive, or end with a comment.
        let inner = "\n" + statement(depth: depth - 1) + "\n"
        return switch random.next(below: 12) {
        case 0: "if a > \(number) { \(inner) } else { print(\"}\") }"
        case 1: ##"let text = #"{ "\#(a)" \(b "# + "\(c.map { "{\($0)" })""##
        case 2: "let long = \"\"\"\n  { \\(b { \"}\" }) \\\"\"\"\n  \"\"\""
        case 3: "/* } /* \" */ */ value = a / b + c/2 // }"
        case 4: "list.filter { $0 > 1 }.map { (a: Int) -> Int in \(inner) return a }"
        case 5: "struct Local { var a: Int { 1 } ; func b() { } }"
        case 6: "#if DEBUG\(inner)#else\nprint(1)\n#endif"
        case 7: "for each in stride(from: 0, to: 3, by: 1) where each != 2 { \(inner) }"
        case 8: "switch a { case .b(let c) where c > 1: \(inner) default: break }"
        case 9: "guard let a = try? b[\\.c, default: { 1 }()] else { \(inner) return }"
        case 10: "if let match = text.firstMatch(of: /[a-z]+/) { \(inner) }"
        default: "do { try a(b, c: [1, 2]) } catch let error as Failure { \(inner) } catch { }"
        }
    }
}
