import Foundation

extension Multiplexer {
    /// Bytes and frames after which an acknowledgement is sent without waiting for something to send with it.
    private static let (acknowledgedBytes, acknowledgedFrames) = (256 << 10, UInt64(64))

    /// Takes a frame without its length.
    ///
    /// - Throws: `PeerFailure` if it breaks a rule; then the connection must end.
    package mutating func receive(_ frame: UnsafeRawBufferPointer) throws {
        let header = try FrameHeader(frame)
        try window.acknowledge(header.acknowledged)
        if header.kind.isNumbered {
            // After an interruption the other side may send again what has come.
            guard header.number > received else {
                flags.acknowledge = true
                return
            }
            guard header.number == received + 1 else {
                throw PeerFailure(.invalid, "frame \(header.number) came where \(received + 1) was due")
            }
            received += 1
            bytesSinceAcknowledgement += frame.count
            if bytesSinceAcknowledgement >= Self.acknowledgedBytes
                || received - acknowledgedToPeer >= Self.acknowledgedFrames
            {
                flags.acknowledge = true
            }
        }
        try take(header, UnsafeRawBufferPointer(rebasing: frame[FrameHeader.count...]))
    }

    private mutating func take(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) throws {
        switch header.kind {
        case .control: events.append(.control(Data(payload)))
        case .message:
            let isLast = header.flags & FrameHeader.last != 0
            if let (message, cost) = try assembler.append(payload, isLast: isLast) {
                events.append(.message(message, cost: cost, isReliable: true))
            }
            sendMessageCredit()
        case .unreliable:
            let (isFirst, isLast) = (header.flags & FrameHeader.first != 0, header.flags & FrameHeader.last != 0)
            if let (message, cost) = unreliableAssembler.append(payload, isFirst: isFirst, isLast: isLast) {
                events.append(.message(message, cost: cost, isReliable: false))
            }
        case .open: try open(header.channel, payload)
        case .data:
            guard incoming[header.channel] != nil else { throw unknownChannel(header.channel) }
            try incoming[header.channel]?.receive(payload.count)
            events.append(.data(header.channel, Data(payload)))
        case .end:
            guard incoming.removeValue(forKey: header.channel) != nil else { throw unknownChannel(header.channel) }
            let reason = header.flags & FrameHeader.last != 0 ? text(payload) : nil
            events.append(.ended(header.channel, reason: reason))
        case .reset: reset(header.channel, payload)
        case .credit: try credit(header.channel, payload)
        case .ping: flags.pong = true
        case .pong, .acknowledgement: break
        case .goodbye:
            let value = try? JSONDecoder().decode(Goodbye.self, from: Data(payload))
            events.append(.goodbye(PeerFailure(received: value?.code ?? "left", value?.reason)))
        }
    }

    private func unknownChannel(_ channel: UInt32) -> PeerFailure {
        PeerFailure(.invalid, "channel \(channel) is not open")
    }

    private func text(_ payload: UnsafeRawBufferPointer) -> String {
        PeerFailure(received: nil, String(decoding: payload.prefix(400), as: UTF8.self)).reason
    }

    private mutating func open(_ channel: UInt32, _ payload: UnsafeRawBufferPointer) throws {
        guard channel % 2 == (isConnecting ? 0 : 1), channel > lastIncoming else {
            throw PeerFailure(.invalid, "the other side opens channel \(channel), which is not its next one")
        }
        guard incoming.count < limits.channels else {
            throw PeerFailure(.limit, "the other side has \(incoming.count) streams and resources open")
        }
        lastIncoming = channel
        incoming[channel] = IncomingWindow(window: limits.channelWindow)
        events.append(.opened(channel, description: Data(payload)))
    }

    private mutating func reset(_ channel: UInt32, _ payload: UnsafeRawBufferPointer) {
        // The channel may have ended before the other side knew.
        guard outgoing[channel] != nil else { return }
        let reason = text(payload)
        outgoing[channel]?.end(reason)
        events.append(.reset(channel, reason: reason))
    }

    private mutating func credit(_ channel: UInt32, _ payload: UnsafeRawBufferPointer) throws {
        guard payload.count == 8 else {
            throw PeerFailure(.invalid, "a credit has \(payload.count) bytes in place of 8")
        }
        let amount = UInt64(bigEndian: payload.loadUnaligned(as: UInt64.self))
        let window = channel == 0 ? limits.messageWindow : limits.channelWindow
        let known = channel == 0 ? messageCredit : outgoing[channel]?.credit ?? 0
        // More than the window was never promised. A credit for a channel that has ended is late.
        guard amount <= UInt64(window), known + Int(amount) <= window else {
            throw PeerFailure(.invalid, "a credit of \(amount) bytes is above the window of \(window)")
        }
        if channel == 0 { messageCredit += Int(amount) } else { outgoing[channel]?.credit += Int(amount) }
    }
}
