import Foundation
import NetServices
import Testing

@Suite("TXT records of NetService")
struct TextRecordDataTests {
    @Test("dictionaries and data become each other (PEER-04)")
    func roundTrip() {
        let entries = ["turn": Data("X".utf8), "empty": Data(), "bytes": Data([0, 255])]
        let data = NetService.data(fromTXTRecord: entries)
        #expect(NetService.dictionary(fromTXTRecord: data) == entries)
        #expect(NetService.dictionary(fromTXTRecord: Data([4, 102, 108, 97, 103])) == ["flag": Data()])
        #expect(NetService.dictionary(fromTXTRecord: Data([255, 1, 2])).isEmpty)
    }

    @Test("entries that are too long are refused with their key (PEER-04)")
    func limits() throws {
        let long = Data(repeating: 0x76, count: 252)
        #expect(NetService.data(fromTXTRecord: ["key": long]).isEmpty)
        let error = #expect(throws: NetServiceError.self) { try NetService.textRecord([("key", long)]) }
        #expect(error?.code == .badArgumentError)
        #expect(error?.reason.contains("'key' has 256 bytes") == true)
        #expect(
            try NetService.textRecord([("z", Data("1".utf8)), ("a", nil)]) == Data([3, 0x7A, 0x3D, 0x31, 1, 0x61]))
    }

    @Test("malformed records are not taken", arguments: [[5, 97], [0], [2, 61, 97], [1, 97, 1, 65]] as [[UInt8]])
    func malformed(_ bytes: [UInt8]) {
        let service = NetService(domain: "", type: "_http._tcp", name: "A", port: 1)
        #expect(!service.setTXTRecord(Data(bytes)))
        #expect(service.lastError?.code == .badArgumentError)
        #expect(service.txtRecordData() == nil)
    }
}
