import DiscoveryKit
import Testing

@Suite("Types of services")
struct ServiceTypeTests {
    @Test(
        "names of 1 to 15 characters make types (PEER-02)",
        arguments: ["oz-tictactoe", "a", "a1", "x-1-y", "abcdefghijklmno"])
    func good(_ name: String) throws {
        #expect(try ServiceType(name: name).description == "_\(name)._tcp")
        #expect(try ServiceType(parsing: "_\(name)._tcp.") == ServiceType(name: name))
    }

    @Test(
        "names that break RFC 6335 are refused with the rule (PEER-02)",
        arguments: [
            ("", "0 characters"), ("abcdefghijklmnop", "16 characters"), ("OZ-TicTacToe", "other characters"),
            ("a_b", "other"),
            ("123", "no letter"), ("-", "no letter"), ("-a", "hyphen"), ("a-", "hyphen"), ("a--b", "two hyphens"),
            ("a b", "other"), ("é", "other"), ("a.b", "other"), ("nineteen-letters-xy", "19 characters"),
        ])
    func bad(_ name: String, rule: String) {
        let error = #expect(throws: DiscoveryError.self) { try ServiceType(name: name) }
        #expect(error?.code == .invalidType)
        #expect(error?.reason.contains(rule) == true, "\(String(describing: error))")
    }

    @Test("types are read as programs write them, with subtypes behind commas or before")
    func parsing() throws {
        let plain = try ServiceType(parsing: "_http._tcp")
        #expect((plain.name, plain.transport, plain.subtypes, plain.browsed) == ("http", .tcp, [], "_http._tcp"))
        #expect(try ServiceType(parsing: "_dns._udp.").transport == .udp)
        let listed = try ServiceType(parsing: "_http._tcp.,_printer,_scan")
        #expect(listed.subtypes == ["_printer", "_scan"])
        #expect(listed.description == "_http._tcp")
        let sub = try ServiceType(parsing: "_printer._sub._http._tcp")
        #expect((sub.subtypes, sub.browsed) == (["_printer"], "_printer._sub._http._tcp"))
    }

    @Test(
        "malformed types are refused",
        arguments: [
            "", ".", "_", "http", "http._tcp", "_http", "_http.tcp", "_http._sctp", "_http._tcp.local", "_HTTP._tcp",
            "_http._tcp,",
            "_http._tcp,a b", "a._b._http._tcp", String(repeating: "_a,", count: 1_000), "_http._tcp\u{0}",
        ])
    func malformed(_ text: String) {
        let error = #expect(throws: DiscoveryError.self) { try ServiceType(parsing: text) }
        #expect(error?.code == .invalidType)
    }
}
