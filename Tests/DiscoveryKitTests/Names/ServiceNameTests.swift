import DiscoveryKit
import TestBasics
import Testing

@Suite("Names of services")
struct ServiceNameTests {
    @Test(
        "names of 1 to 63 bytes without control characters are taken (PEER-01)",
        arguments: [
            "A", "Tic Tac Toe", "Zoë’s Computer", String(repeating: "é", count: 31), String(repeating: "x", count: 63),
        ])
    func good(_ name: String) throws { try ServiceName.check(name) }

    private static let refused: [(String, String)] = [
        ("", "is empty"), (String(repeating: "x", count: 64), "has 64 bytes"),
        (String(repeating: "é", count: 32), "has 64 bytes"), (String(repeating: "n", count: 300), "has 300 bytes"),
        ("a\u{0}b", "control"), ("a\nb", "control"), ("\u{1B}[2J", "control"), ("a\u{202E}b", "control"),
        ("a\u{2028}b", "control"), ("a\u{9B}b", "control"),
    ]

    // By number, since terminals would act on the names.
    @Test(
        "empty and longer names and control characters are refused with the rule (PEER-01)", arguments: refused.indices)
    func bad(_ number: Int) {
        let (name, rule) = Self.refused[number]
        let error = #expect(throws: DiscoveryError.self) { try ServiceName.check(name) }
        #expect(error?.code == .invalidName)
        #expect(error?.reason.contains(rule) == true, "\(String(describing: error))")
        #expect(error?.reason.unicodeScalars.contains { $0.value < 0x20 } == false)
    }

    @Test("shown names have no control characters and are bounded")
    func escapes() {
        #expect(ServiceName.escaped("a\u{1B}b\n") == "a\\u{1B}b\\u{A}")
        #expect(ServiceName.escaped("Zoë 🎲") == "Zoë 🎲")
        #expect(ServiceName.escaped(String(repeating: "n", count: 300)).count == 81)
        // One character of a million scalars.
        let heap = "e" + String(repeating: "\u{301}", count: 1_000_000)
        #expect(ServiceName.escaped(heap).unicodeScalars.count < 20)
    }

    @Test(
        "the next name has the next number and fits",
        arguments: [
            ("Printer", "Printer #2"), ("Printer #2", "Printer #3"), ("Printer #9", "Printer #10"),
            ("Printer#2", "Printer#2 #2"), ("#2", "#2 #2"), ("A #", "A # #2"),
            ("A #99999999999999999999", "A #99999999999999999999 #2"),
            (String(repeating: "x", count: 63), String(repeating: "x", count: 60) + " #2"),
            (String(repeating: "é", count: 31), String(repeating: "é", count: 30) + " #2"),
        ])
    func alternatives(_ name: String, next: String) throws {
        #expect(ServiceName.alternative(to: name) == next)
        try ServiceName.check(ServiceName.alternative(to: name))
    }

    @Test("a thousand names in a row differ and follow the rules")
    func manyAlternatives() throws {
        var name = String(repeating: "🎲", count: 15) + "xyz"
        var seen: Set = [name]
        for _ in 0..<1_000 {
            name = ServiceName.alternative(to: name)
            try ServiceName.check(name)
            #expect(seen.insert(name).inserted)
        }
    }
}
