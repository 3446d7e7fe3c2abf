import Foundation
import Testing

@testable import CoreDataCodes

/// What the reader makes of lines that `ZXingReader` prints.
@Suite struct ReaderOutputTests {
    @Test("CAM-05: codes with a wrong checksum or cut off bytes are left out, and those beside them are read")
    func faultyCodesAreLeftOut() {
        let good = "Text: \"A\"\nBytes: 41\nFormat: QRCode\nPosition: 1x2 3x2 3x4 1x4\n"
        let wrong = good + "Error: ChecksumError\n"
        let cut = good.replacingOccurrences(of: "Bytes: 41", with: "Bytes: 4")
        let codes = ReaderOutput.codes([wrong, good, cut].joined(separator: "\n"))
        #expect(codes.map(\.text) == ["A"])
        #expect(codes.first?.corners == [[1, 2], [3, 2], [3, 4], [1, 4]].map { CGPoint(x: $0[0], y: $0[1]) })
    }
}
