import Foundation
import TestBasics
import Testing

@testable import PeerKit

struct MultiplexerTests {
    /// Moves frames from one side to the other.
    private func move(_ one: inout Multiplexer, _ other: inout Multiplexer, atMost limit: Int = .max) throws -> Int {
        var count = 0
        while count < limit, let frame = one.nextFrame() {
            try frame.withUnsafeBytes {
                try other.receive(UnsafeRawBufferPointer(rebasing: $0[FrameReader.lengthBytes...]))
            }
            count += 1
        }
        return count
    }

    private func messages(_ events: [MultiplexerEvent]) -> [Data] {
        events.compactMap { if case .message(let data, _, true) = $0 { data } else { nil } }
    }

    /// The bytes that a side sends which does a little of everything.
    private func stream() throws -> [UInt8] {
        var (one, other) = (Multiplexer(isConnecting: true), Multiplexer(isConnecting: false))
        try one.sendControl(Data(#"{"kind":"members","members":[]}"#.utf8))
        for index in 0..<20 { try one.send(Data("message \(index)".utf8)) }
        try one.sendUnreliable(Data("maybe".utf8))
        let channel = try one.openChannel(Data(#"{"kind":"stream","name":"a"}"#.utf8))
        _ = one.append(Data(count: 500), to: channel)
        one.end(channel)
        one.flags.ping = true
        let answered = try other.openChannel(Data("{}".utf8))
        _ = try move(&other, &one)
        one.reset(answered, reason: "no")
        try one.send(Data(count: 2_000))
        var bytes: [UInt8] = []
        while let frame = one.nextFrame() { bytes += frame }
        one.flags.goodbye = PeerFailure(.left, "the end")
        while let frame = one.nextFrame() { bytes += frame }
        return bytes
    }

    private func feed(_ bytes: [UInt8], to multiplexer: inout Multiplexer) throws {
        var reader = FrameReader(limit: FrameHeader.frameLimit)
        try bytes.withUnsafeBytes { try reader.append($0) { try multiplexer.receive($0) } }
    }

    @Test("every bit of a stream of frames, flipped, gives an error or other frames, and no trap (PEER-13)")
    func flippedBits() throws {
        let bytes = try stream()
        #expect(bytes.count > 3_500)
        var plain = Multiplexer(isConnecting: false)
        _ = try plain.openChannel(Data("{}".utf8))
        _ = plain.nextFrame()
        try feed(bytes, to: &plain)
        #expect(messages(plain.takeEvents()).count == 21)
        var refused = 0
        for place in 0..<bytes.count {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[place] ^= 1 << bit
                var multiplexer = Multiplexer(isConnecting: false)
                _ = try multiplexer.openChannel(Data("{}".utf8))
                _ = multiplexer.nextFrame()
                do { try feed(damaged, to: &multiplexer) } catch { refused += 1 }
            }
        }
        #expect(refused > 1_000)
    }

    @Test("frames that break a rule are refused with a reason (PEER-13)")
    func brokenRulesAreRefused() throws {
        func frame(_ header: FrameHeader, _ payload: [UInt8] = []) -> [UInt8] {
            payload.withUnsafeBytes { header.frame($0) }
        }
        let credit = withUnsafeBytes(of: UInt64(1 << 30).bigEndian) { Array($0) }
        let bad: [[UInt8]] = [
            // A frame is left out, one is acknowledged that was never sent, and channels that are not open or not theirs.
            frame(FrameHeader(.message, number: 2)), frame(FrameHeader(.ping, acknowledged: 5)),
            frame(FrameHeader(.data, channel: 7, number: 1), [1]), frame(FrameHeader(.end, channel: 7, number: 1)),
            frame(FrameHeader(.open, channel: 2, number: 1)), frame(FrameHeader(.open, channel: 0, number: 1)),
            frame(FrameHeader(.credit, channel: 0, number: 1), credit),
            frame(FrameHeader(.credit, channel: 0, number: 1), [1]),
            frame(FrameHeader(.ping, number: 1)), frame(FrameHeader(.message)),
        ]
        for bytes in bad {
            var multiplexer = Multiplexer(isConnecting: false)
            let error = #expect(throws: PeerFailure.self) { try feed(bytes, to: &multiplexer) }
            #expect(error?.code == .invalid && error?.reason.isEmpty == false)
        }
    }

    @Test("a peer that sends more than its window, or opens too many channels, is refused (PEER-14)")
    func floodsAreRefused() throws {
        var receiver = Multiplexer(isConnecting: false)
        var (number, count): (UInt64, Int) = (0, 0)
        let error = #expect(throws: PeerFailure.self) {
            while true {
                number += 1
                let frame = [].withUnsafeBytes {
                    FrameHeader(.message, flags: FrameHeader.last, number: number).frame($0)
                }
                try feed(frame, to: &receiver)
                count += 1
            }
        }
        #expect(error?.code == .invalid)
        #expect(count == receiver.limits.messageWindow / 64)
        receiver = Multiplexer(isConnecting: false)
        number = 0
        let channelError = #expect(throws: PeerFailure.self) {
            while true {
                number += 1
                let header = FrameHeader(.open, channel: UInt32(number) * 2 - 1, number: number)
                try feed([].withUnsafeBytes { header.frame($0) }, to: &receiver)
            }
        }
        #expect(channelError?.code == .limit && number == 65)
        receiver = Multiplexer(isConnecting: false)
        for _ in 0..<20_000 {
            try feed([UInt8]([1, 2]).withUnsafeBytes { FrameHeader(.unreliable, flags: 3).frame($0) }, to: &receiver)
        }
        #expect(receiver.takeEvents().count == receiver.limits.unreliableBytes / 66)
    }

    @Test("a message overtakes a channel with much to send, and neither starves (PEER-07)")
    func messageOvertakes() throws {
        var (one, other) = (Multiplexer(isConnecting: true), Multiplexer(isConnecting: false))
        let channel = try one.openChannel(Data("{}".utf8))
        _ = one.append(Data(count: 800_000), to: channel)
        _ = try move(&one, &other, atMost: 10)
        _ = other.takeEvents()
        try one.send(Data("now".utf8))
        _ = try move(&one, &other, atMost: 1)
        #expect(messages(other.takeEvents()) == [Data("now".utf8)])
        for index in 0..<100 { try one.send(Data([UInt8(index)])) }
        _ = try move(&one, &other, atMost: 34)
        let events = other.takeEvents()
        #expect(messages(events).count == 32)
        #expect(events.count == 34)
    }

    @Test("random messages over wires that are replaced at random come once and in order (PEER-07, PEER-11)")
    func randomRestarts() throws {
        for seed in TestSeed.sequences(10, exhaustive: 500) {
            var random = SeededRandom(seed: seed)
            var (one, other) = (Multiplexer(isConnecting: true), Multiplexer(isConnecting: false))
            var (sent, received): ([Data], [Data]) = ([], [])
            for _ in 0..<400 {
                switch random.next(below: 10) {
                case 0:
                    // What was on its way is lost.
                    var lost = random.next(below: 5)
                    while lost > 0, one.nextFrame() != nil { lost -= 1 }
                    let (mine, theirs) = (one.receivedNumber, other.receivedNumber)
                    try one.restart(after: theirs)
                    try other.restart(after: mine)
                case 1...4:
                    let message = Data(
                        (0..<random.next(below: 20) * random.next(below: 20) * 100).map {
                            UInt8(truncatingIfNeeded: $0)
                        })
                    sent.append(message)
                    try one.send(message)
                default:
                    _ = try move(&one, &other, atMost: random.next(below: 8))
                    for event in other.takeEvents() {
                        guard case .message(let data, let cost, let isReliable) = event else { continue }
                        received.append(data)
                        other.consumed(cost, isReliable: isReliable)
                    }
                    _ = try move(&other, &one)
                }
            }
            let (mine, theirs) = (one.receivedNumber, other.receivedNumber)
            try one.restart(after: theirs)
            try other.restart(after: mine)
            var isMoving = true
            while isMoving {
                isMoving = try move(&one, &other) > 0
                for event in other.takeEvents() {
                    guard case .message(let data, let cost, let isReliable) = event else { continue }
                    received.append(data)
                    other.consumed(cost, isReliable: isReliable)
                }
                if try move(&other, &one) > 0 { isMoving = true }
            }
            #expect(received == sent, "seed \(seed)")
        }
    }
}

struct WindowTests {
    private func bytes<Result>(_ count: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try [UInt8](repeating: 7, count: count).withUnsafeBytes(body)
    }

    @Test("a channel takes no more than its window, and as much again as was consumed (PEER-14)")
    func channelsAreBounded() throws {
        var window = IncomingWindow(window: 1_000)
        try window.receive(600)
        try window.receive(400)
        #expect(throws: PeerFailure.self) { try window.receive(1) }
        #expect(window.consumed(300) == 300)
        try window.receive(300)
        let error = #expect(throws: PeerFailure.self) { try window.receive(1) }
        #expect(error?.code == .invalid)
    }

    @Test("a message in parts that exceeds the greatest size is refused, with what to do (PEER-13)")
    func messagesAreBounded() throws {
        var assembler = MessageAssembler(window: 1 << 20, limit: 1_000)
        let whole = try bytes(1_000) { try assembler.append($0, isLast: true) }
        #expect(whole?.0.count == 1_000)
        #expect(try bytes(600) { try assembler.append($0, isLast: false) } == nil)
        let error = #expect(throws: PeerFailure.self) {
            _ = try bytes(401) { try assembler.append($0, isLast: true) }
        }
        #expect(error?.code == .limit && error?.hint.contains("resource") == true)
    }
}
