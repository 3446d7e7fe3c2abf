import Foundation
import Testing

@testable import TicTacToeSample

/// What the two sides of the example TicTacToe send each other.
@Suite struct TicTacToePacketTests {
    @Test("packets have a type, a roll and a space, and rolls are below a million (SAMPLE-14)")
    func packetsHaveTheirNumbers() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let texts = try [Packet.roll(999_999), .ack(0), .move(1_008), .reset].map {
            String(decoding: try encoder.encode($0), as: UTF8.self)
        }
        #expect(
            texts == [
                #"{"dieRoll":999999,"type":0}"#, #"{"dieRoll":0,"type":1}"#, #"{"space":1008,"type":2}"#,
                #"{"type":3}"#,
            ])
        for text in texts {
            let packet = try JSONDecoder().decode(Packet.self, from: Data(text.utf8))
            #expect(try encoder.encode(packet) == Data(text.utf8))
        }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Packet.self, from: Data(#"{"type":4}"#.utf8)) }
        #expect(Packet.roll(0) != Packet(type: .dieRoll))
    }
}
