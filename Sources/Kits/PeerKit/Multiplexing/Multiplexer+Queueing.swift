import Foundation

extension Multiplexer {
    /// Adds a reliable message.
    ///
    /// - Throws: `PeerFailure` with `limit` if it is too large, or too much waits already.
    package mutating func send(_ message: Data) throws {
        guard message.count <= limits.messageBytes else {
            throw PeerFailure(
                .limit, "the message has \(message.count) bytes; at most \(limits.messageBytes) are allowed",
                hint: "send it as a resource")
        }
        guard messages.bytes + message.count <= limits.queuedBytes else {
            throw PeerFailure(
                .limit, "\(messages.bytes) bytes of messages wait to be sent already", hint: "send less, or wait")
        }
        messages.append(message)
    }

    /// Adds a message that may be lost: with too many waiting, the oldest ones are dropped.
    package mutating func sendUnreliable(_ message: Data) throws {
        let limit = limits.unreliableBytes / 2
        guard message.count <= limit else {
            throw PeerFailure(
                .limit, "an unreliable message has \(message.count) bytes; at most \(limit) are allowed",
                hint: "send it reliably")
        }
        while unreliable.bytes + message.count + MessageQueue.overhead > limits.unreliableBytes {
            guard unreliable.dropOldest() else { return }
        }
        unreliable.append(message)
    }

    /// Adds a value of the layer above; it must fit into one frame.
    package mutating func sendControl(_ value: Data) throws {
        guard value.count <= FrameHeader.payloadLimit, control.count < 4_096 else {
            throw PeerFailure(.limit, "a control value has \(value.count) bytes, and \(control.count) wait")
        }
        control.append((FrameHeader(.control), value))
    }

    /// Opens a channel for bytes to the other side.
    package mutating func openChannel(_ description: Data) throws -> UInt32 {
        guard description.count <= FrameHeader.payloadLimit else {
            throw PeerFailure(.limit, "the description of a channel has \(description.count) bytes")
        }
        guard outgoing.count < limits.channels else {
            throw PeerFailure(
                .limit, "\(outgoing.count) streams and resources are open to this peer",
                hint: "wait until one has ended")
        }
        let number = nextChannel
        nextChannel += 2
        outgoing[number] = OutgoingChannel(credit: limits.channelWindow)
        turns.append(number)
        control.append((FrameHeader(.open, channel: number), description))
        return number
    }

    /// Adds bytes to a channel; false if it does not exist any longer. The caller checks `hasRoom` first.
    package mutating func append(_ bytes: Data, to channel: UInt32) -> Bool {
        guard outgoing[channel] != nil else { return false }
        outgoing[channel]?.append(bytes)
        return true
    }

    /// Whether a channel takes more bytes now; if not, `drained` follows when it does.
    package mutating func hasRoom(_ channel: UInt32) -> Bool {
        guard let waiting = outgoing[channel]?.bytes else { return true }
        guard waiting >= 2 * OutgoingChannel.lowBytes else { return true }
        outgoing[channel]?.isAwaitingRoom = true
        return false
    }

    /// Ends a channel, after its bytes or, with a reason, at once.
    package mutating func end(_ channel: UInt32, reason: String? = nil) { outgoing[channel]?.end(reason) }

    /// Says that a channel of the other side is not wanted any longer.
    package mutating func reset(_ channel: UInt32, reason: String) {
        guard incoming[channel] != nil else { return }
        control.append((FrameHeader(.reset, channel: channel), Data(reason.utf8.prefix(400))))
    }

    /// Makes room for as much as a message has cost.
    package mutating func consumed(_ cost: Int, isReliable: Bool) {
        guard isReliable else { return unreliableAssembler.consumed(cost) }
        assembler.consumed(cost)
        sendMessageCredit()
    }

    mutating func sendMessageCredit() {
        if let credit = assembler.takeCredit() { sendCredit(credit, 0) }
    }

    /// Makes room for bytes of a channel that have been consumed.
    package mutating func consumed(_ count: Int, of channel: UInt32) {
        if let credit = incoming[channel]?.consumed(count) { sendCredit(credit, channel) }
    }

    private mutating func sendCredit(_ credit: Int, _ channel: UInt32) {
        let payload = withUnsafeBytes(of: UInt64(credit).bigEndian) { Data($0) }
        control.append((FrameHeader(.credit, channel: channel), payload))
    }
}
