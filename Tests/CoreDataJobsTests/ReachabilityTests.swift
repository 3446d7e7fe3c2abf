import Foundation
import TestBasics
import Testing

@testable import CoreDataJobs

@Suite(.timeLimit(.minutes(2))) struct ReachabilityTests {
    /// A message with its header, filled up to a multiple of four.
    private static func message(_ kind: UInt16, _ payload: [UInt8], flags: UInt16 = 2, sequence: UInt32 = 1) -> [UInt8]
    {
        var bytes: [UInt8] = []
        withUnsafeBytes(of: UInt32(16 + payload.count)) { bytes += $0 }
        withUnsafeBytes(of: kind) { bytes += $0 }
        withUnsafeBytes(of: flags) { bytes += $0 }
        withUnsafeBytes(of: sequence) { bytes += $0 }
        bytes += [0, 0, 0, 0] + payload
        return bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    private static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        withUnsafeBytes(of: UInt16(4 + value.count)) { bytes += $0 }
        withUnsafeBytes(of: type) { bytes += $0 }
        bytes += value
        return bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

    /// `struct ifinfomsg` with a name.
    private static func link(_ number: UInt32, flags: UInt32) -> [UInt8] {
        message(16, [0, 0, 1, 0] + bytes(number) + bytes(flags) + bytes(.max) + attribute(3, Array("eth0\0".utf8)))
    }

    /// `struct rtmsg` with attributes.
    private static func route(
        family: UInt8 = 2, prefix: UInt8 = 0, table: UInt8 = 254, type: UInt8 = 1, _ attributes: [UInt8]
    ) -> [UInt8] {
        message(24, [family, prefix, 0, 0, table, 3, 0, type, 0, 0, 0, 0] + attributes)
    }

    private static let up: UInt32 = 0x1_1043
    private static let loopback: UInt32 = 0x1_0049

    private static func isReachable(_ bytes: [UInt8]) throws -> Bool {
        var table = NetworkTable()
        for message in try NetlinkMessage.all(in: bytes) { table.take(message) }
        return table.isReachable
    }

    @Test(
        "a default route to a link that is up makes the network reachable, others do not (WEB-13)",
        arguments: [
            ("IPv4", route(attribute(4, bytes(2))), true),
            ("IPv6", route(family: 10, attribute(4, bytes(2))), true),
            ("a table of its own", route(table: 252, attribute(15, bytes(51_820)) + attribute(4, bytes(2))), true),
            ("several hops", route(attribute(9, [8, 0, 0, 0] + bytes(1) + [8, 0, 0, 0] + bytes(2))), true),
            ("an object for the hop", route(attribute(30, bytes(7))), true),
            ("to the machine itself", route(attribute(4, bytes(1))), false),
            ("hops to the machine itself", route(attribute(9, [8, 0, 0, 0] + bytes(1))), false),
            ("to a link without carrier", route(attribute(4, bytes(3))), false),
            ("to a link that is not there", route(attribute(4, bytes(9))), false),
            ("not a default route", route(prefix: 24, attribute(4, bytes(2))), false),
            ("unreachable", route(family: 10, type: 7, attribute(4, bytes(2))), false),
            ("local", route(table: 255, type: 1, attribute(4, bytes(2))), false),
            ("no link", route([]), false),
        ])
    func routes(name: String, route: [UInt8], expected: Bool) throws {
        let links = Self.link(1, flags: Self.loopback) + Self.link(2, flags: Self.up) + Self.link(3, flags: 0x1003)
        #expect(try Self.isReachable(links + route) == expected)
        #expect(try !Self.isReachable(links))
    }

    /// An answer of a machine with a loopback link, `eth0` and a default route, as recorded; header and payload of each message.
    private static var recorded: [UInt8] {
        link(1, flags: loopback) + link(2, flags: up) + route(prefix: 24, attribute(4, bytes(2)))
            + route(attribute(15, bytes(254)) + attribute(5, [192, 0, 2, 1]) + attribute(4, bytes(2)))
            + message(3, bytes(0))
    }

    @Test("messages are read whole, and an answer that ends early is refused")
    func truncated() throws {
        let recorded = Self.recorded
        #expect(try NetlinkMessage.all(in: recorded).map(\.kind) == [16, 16, 24, 24, 3])
        #expect(try Self.isReachable(recorded))
        var ends: Set<Int> = []
        for count in 0..<recorded.count {
            do {
                let messages = try NetlinkMessage.all(in: Array(recorded.prefix(count)))
                ends.insert(messages.reduce(0) { $0 + 16 + $1.payload.count })
            } catch {
                #expect(error.offset <= count)
            }
        }
        #expect(ends.count == 5)
    }

    @Test(
        "a message with a wrong length is refused",
        arguments: [0, 1, 15, 17_000_000, UInt32.max, UInt32(Int32.max)])
    func wrongLength(length: UInt32) {
        let bytes = Self.bytes(length) + [UInt8](repeating: 0, count: 60)
        #expect(throws: NetlinkMessage.Malformed(offset: 0)) { try NetlinkMessage.all(in: bytes) }
    }

    @Test(
        "attributes and hops with wrong lengths are left, and nothing is read beyond the bytes",
        arguments: [0, 1, 3, 5, 200, 65_535] as [UInt16])
    func wrongAttributes(length: UInt16) throws {
        let size = withUnsafeBytes(of: length) { Array($0) }
        let links = Self.link(2, flags: Self.up)
        #expect(try !Self.isReachable(links + Self.route(size + [4, 0, 2, 0])))
        #expect(try !Self.isReachable(links + Self.route(Self.attribute(9, size + [0, 0, 2]))))
        _ = try Self.isReachable(links + Self.route(Self.attribute(4, [2])))
        _ = try Self.isReachable(Self.message(24, [2]) + Self.message(16, [1, 2, 3]))
    }

    @Test("random damage of an answer never stops the reader")
    func randomDamage() {
        var random = SeededRandom(seed: TestSeed.first)
        for _ in 0..<5_000 {
            var bytes = Self.recorded
            for _ in 0..<(1 + random.next(below: 6)) {
                bytes[random.next(below: bytes.count)] = UInt8(random.next(below: 256))
            }
            bytes.removeLast(random.next(below: 40))
            var table = NetworkTable()
            for message in (try? NetlinkMessage.all(in: bytes)) ?? [] {
                table.take(message)
                _ = message.attributes(after: Int(message.payload.first ?? 0))
            }
            _ = table.isReachable
        }
    }

    @Test("the state of this machine is that of its routes (WEB-13)")
    func thisMachine() async throws {
        let network = try Reachability()
        var changes = network.changes.makeAsyncIterator()
        #expect(await changes.next() == network.isReachable)
        let routes = (try? String(contentsOfFile: "/proc/net/route", encoding: .utf8)) ?? ""
        let hasDefault = routes.split(separator: "\n").contains { line in
            let fields = line.split(separator: "\t")
            return fields.count > 7 && fields[1] == "00000000" && fields[7] == "00000000" && fields[0] != "lo"
        }
        if hasDefault { #expect(network.isReachable) }
    }

    /// Whether this process may make network namespaces, and the programs for it are there.
    private static let mayMakeNamespaces: Bool = {
        let trial = "unshare -n sh -c 'ip link add t0 type veth peer name t1 && ip link set t0 up'"
        return (try? Toolchain.run("sh", ["-c", trial]))?.code == 0
    }()

    @Test(
        "links and routes that come and go are reported, in a network namespace (WEB-13)",
        .enabled(if: mayMakeNamespaces, "network namespaces cannot be made here"))
    func namespace() throws {
        // The shell keeps its namespace, in which it carries out what the test says.
        let child = try Child(
            [
                "-c", "exec unshare -n sh -c '\"$0\" reachability & echo \"child $!\"; wait' \"$0\"",
                Child.url("JobChild").path,
            ],
            of: URL(fileURLWithPath: "/bin/sh"))
        var words: [String] = []
        func next() -> String? {
            while let line = child.line(within: 20_000) {
                guard line.hasPrefix("child ") else { return line }
                words.append(String(line.dropFirst(6)))
            }
            return nil
        }
        #expect(next() == "offline")
        if words.isEmpty { _ = child.line().map { words.append(String($0.dropFirst(6))) } }
        let pid = try #require(words.first.flatMap { Int32($0) })
        defer { kill(pid, SIGKILL) }
        func ip(_ arguments: String) throws {
            try Toolchain.output("nsenter", ["--net=/proc/\(pid)/ns/net", "sh", "-c", "ip " + arguments])
        }
        try ip("link set lo up")
        try ip("link add w0 type veth peer name w1")
        try ip("addr add 192.0.2.2/24 dev w0")
        try ip("link set w0 up; ip link set w1 up")
        try ip("route add default dev lo")
        try ip("route add default via 192.0.2.1 metric 5")
        #expect(next() == "online")
        try ip("link set w0 down")
        #expect(next() == "offline", "its routes go without a report of their own")
        try ip("link set w0 up; ip route add default via 192.0.2.1 metric 5")
        #expect(next() == "online")
        try ip("link set w1 down")
        #expect(next() == "offline", "the cable is out")
        try ip("link set w1 up")
        #expect(next() == "online")
        try ip("route del default via 192.0.2.1 metric 5")
        #expect(next() == "offline")
    }
}
