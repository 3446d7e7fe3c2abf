import Foundation

extension Multiplexer {
    /// The next frame to be written; nil if there is none, or none may be sent now.
    package mutating func nextFrame() -> [UInt8]? {
        if let frame = nextSign() ?? window.takeUnsent() { return frame }
        guard window.bytes < limits.unacknowledgedBytes else { return nextUnreliable() }
        if !control.isEmpty {
            let (header, payload) = control.removeFirst()
            return payload.withUnsafeBytes { numbered(header, $0) }
        }
        if messageRun < 16, let frame = nextMessagePart() {
            messageRun += 1
            return frame
        }
        messageRun = 0
        return nextChannelPart() ?? nextMessagePart()
    }

    /// Signs of life, acknowledgements and the end, which are of no use later and are not numbered.
    private mutating func nextSign() -> [UInt8]? {
        if let failure = flags.goodbye {
            flags.goodbye = nil
            let value = Goodbye(code: failure.code.rawValue, reason: failure.reason)
            return ((try? JSONEncoder().encode(value)) ?? Data()).withUnsafeBytes { plain(.goodbye, $0) }
        }
        if flags.ping {
            flags.ping = false
            return plain(.ping)
        }
        if flags.pong {
            flags.pong = false
            return plain(.pong)
        }
        guard flags.acknowledge else { return nil }
        flags.acknowledge = false
        return owesAcknowledgement ? plain(.acknowledgement) : nil
    }

    /// Reliable and unreliable messages in turns, each begun one to its end.
    private mutating func nextMessagePart() -> [UInt8]? {
        if messageRun % 2 == 1 || unreliable.isInsideMessage, let frame = nextUnreliable() { return frame }
        guard !messages.isEmpty, messages.nextCost <= messageCredit else { return nextUnreliable() }
        messageCredit -= messages.nextCost
        let header = FrameHeader(.message, number: window.next, acknowledged: received)
        let frame = messages.takePart { bytes, _, isLast in
            var header = header
            header.flags = isLast ? FrameHeader.last : 0
            return header.frame(bytes)
        }
        return frame.map { kept($0) }
    }

    private mutating func nextUnreliable() -> [UInt8]? {
        let header = FrameHeader(.unreliable, acknowledged: received)
        return unreliable.takePart { bytes, isFirst, isLast in
            var header = header
            header.flags = (isFirst ? FrameHeader.first : 0) | (isLast ? FrameHeader.last : 0)
            return header.frame(bytes)
        }
    }

    private mutating func nextChannelPart() -> [UInt8]? {
        // Half of what may be on its way is for channels, so that messages find the other half free.
        guard window.bytes < limits.unacknowledgedBytes / 2,
            let place = turns.firstIndex(where: { outgoing[$0]?.canSend == true })
        else { return nil }
        let channel = turns.remove(at: place)
        guard outgoing[channel]?.bytes == 0 else {
            turns.append(channel)
            return nextBytes(of: channel)
        }
        let reason = outgoing.removeValue(forKey: channel)?.ending.reason
        let payload = Data((reason ?? "").utf8.prefix(400))
        return payload.withUnsafeBytes {
            numbered(FrameHeader(.end, flags: reason == nil ? 0 : FrameHeader.last, channel: channel), $0)
        }
    }

    private mutating func nextBytes(of channel: UInt32) -> [UInt8]? {
        let header = FrameHeader(.data, channel: channel, number: window.next, acknowledged: received)
        let frame = outgoing[channel]?.takePart { header.frame($0) }
        if let waiting = outgoing[channel], waiting.isAwaitingRoom, waiting.bytes < OutgoingChannel.lowBytes {
            outgoing[channel]?.isAwaitingRoom = false
            events.append(.drained(channel))
        }
        return frame.flatMap { $0 }.map { kept($0) }
    }

    private mutating func numbered(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) -> [UInt8] {
        var header = header
        (header.number, header.acknowledged) = (window.next, received)
        return kept(header.frame(payload))
    }

    private mutating func kept(_ frame: [UInt8]) -> [UInt8] {
        window.append(frame)
        noteAcknowledged()
        return frame
    }

    private mutating func plain(
        _ kind: FrameHeader.Kind, _ payload: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
    ) -> [UInt8] {
        noteAcknowledged()
        return FrameHeader(kind, acknowledged: received).frame(payload)
    }

    private mutating func noteAcknowledged() {
        acknowledgedToPeer = received
        bytesSinceAcknowledgement = 0
        flags.acknowledge = false
    }
}

/// Why a side leaves, as it is sent.
struct Goodbye: Codable {
    var code: String
    var reason: String
}
