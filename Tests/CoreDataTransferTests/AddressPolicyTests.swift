import Foundation
import Testing

@testable import CoreDataTransfer

@Suite("Addresses of the public Internet")
struct AddressPolicyTests {
    private static func bytes(_ text: String) -> [UInt8]? {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
        if inet_pton(AF_INET6, text, &six) == 1 { return withUnsafeBytes(of: six) { Array($0) } }
        return nil
    }

    @Test(
        "addresses of a machine, of links and of private networks are not public, in whatever form (WEB-13)",
        arguments: [
            // unspecified, loopback
            "0.0.0.0", "0.255.255.255", "127.0.0.1", "127.255.255.254", "::", "::1",
            // private, shared, link-local
            "10.0.0.0", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255",
            "100.64.0.1", "100.127.255.255", "169.254.169.254", "fe80::1", "febf::1", "fec0::1", "fc00::1", "fdff::1",
            // protocol assignments, documentation, benchmarks, reserved, broadcast
            "192.0.0.8", "192.0.2.1", "198.51.100.7", "203.0.113.9", "198.18.0.1", "198.19.255.255", "192.88.99.1",
            "240.0.0.1", "255.255.255.255", "2001:db8::1", "3fff::1", "2001::1", "2001:2::1", "100::1", "5f00::1",
            // multicast
            "224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1",
            // private addresses within others: mapped, compatible, translated (NAT64), 6to4
            "::ffff:127.0.0.1", "::ffff:10.1.2.3", "::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::7f00:1",
            "64:ff9b:1::10.0.0.1", "2002:7f00:1::", "2002:a00:1::1", "2002:c0a8:101::",
        ])
    func privateAddress(_ text: String) throws {
        let address = try #require(Self.bytes(text))
        #expect(!AddressPolicy.publicInternet().allows(host: "example.test", address: address))
        #expect(AddressPolicy.publicInternet(besides: ["Example.test"]).allows(host: "example.TEST", address: address))
        #expect(AddressPolicy.all.allows(host: "example.test", address: address))
    }

    @Test(
        "addresses beside those ranges are public (WEB-13)",
        arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.1", "126.255.255.255", "128.0.0.1", "100.63.255.255", "100.128.0.1",
            "169.253.255.255", "169.255.0.1", "172.15.255.255", "172.32.0.1", "192.167.255.255", "192.169.0.1",
            "198.17.255.255", "198.20.0.1", "223.255.255.255", "2606:4700::1", "2a00:1450::1", "2001:200::1",
            "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
        ])
    func publicAddress(_ text: String) throws {
        let address = try #require(Self.bytes(text))
        #expect(AddressPolicy.publicInternet().allows(host: "example.test", address: address))
    }

    @Test("bytes of other numbers than 4 and 16 are not public (WEB-13)")
    func otherSizes() {
        for size in [0, 3, 5, 15, 17] {
            #expect(!AddressPolicy.isPublic([UInt8](repeating: 8, count: size)))
        }
    }
}
