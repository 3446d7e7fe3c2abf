import Foundation
import LockKit

/// The frames of a handshake on a wire: values as JSON, one after another. For the loop's thread.
final class HandshakeChannel: Sendable {
    private struct State {
        var reader = FrameReader(limit: FrameHeader.frameLimit)
        var output: [UInt8] = []
        var frames: [[UInt8]] = []
        /// Why nothing more comes; what has come before is taken first.
        var ending: PeerFailure?
    }

    let wire: any Wire
    private let state = Locked(State())
    /// More frames than a handshake has are only read once it is over.
    private static let (frameLimit, byteLimit) = (64, 256 << 10)

    init(_ wire: any Wire) { self.wire = wire }

    func send(_ value: some Encodable) throws {
        let bytes = try JSONEncoder().encode(value)
        guard bytes.count <= FrameHeader.frameLimit else {
            throw PeerFailure(.limit, "an invitation has \(bytes.count) bytes", hint: "make its context smaller")
        }
        state.withLock { state in
            withUnsafeBytes(of: UInt64(bytes.count).bigEndian) { state.output += $0 }
            state.output += bytes
        }
        try flush()
    }

    /// Writes what the wire takes.
    func flush() throws {
        try state.withLock { state in
            while !state.output.isEmpty {
                switch state.output.withUnsafeBytes({ wire.write($0) }) {
                case .bytes(let count): state.output.removeFirst(count)
                case .blocked: return wire.setInterest([.readable, .writable])
                case .ended: throw PeerFailure(.lost, "the other side has closed the connection")
                case .failed(let reason): throw PeerFailure(.lost, reason)
                }
            }
            wire.setInterest(.readable)
        }
    }

    /// Reads what has come.
    func fill() throws {
        try state.withLock { state in
            try withUnsafeTemporaryAllocation(byteCount: 32 << 10, alignment: 16) { buffer in
                var total = 0
                while state.ending == nil, state.frames.count < Self.frameLimit, total < Self.byteLimit {
                    switch wire.read(into: buffer) {
                    case .bytes(let count):
                        total += count
                        let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
                        try state.reader.append(bytes) { state.frames.append(Array($0)) }
                    case .blocked: return
                    case .ended: state.ending = PeerFailure(.lost, "the other side has closed the connection")
                    case .failed(let reason): state.ending = PeerFailure(.lost, reason)
                    }
                }
            }
        }
    }

    /// - Throws: `PeerFailure` with `lost` if nothing more comes.
    func checkEnding() throws { if let ending = state.withLock({ $0.ending }) { throw ending } }

    /// The next value; nil if it has not come.
    func next<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        let frame: [UInt8]? = state.withLock { $0.frames.isEmpty ? nil : $0.frames.removeFirst() }
        guard let frame else { return nil }
        do { return try JSONDecoder().decode(type, from: Data(frame)) } catch {
            throw PeerFailure(.invalid, "the other side introduces itself with what is not a \(type)")
        }
    }

    /// What has come behind the handshake, as bytes of the wire.
    func takeRest() -> [UInt8] {
        state.withLock { state in
            var bytes: [UInt8] = []
            for frame in state.frames {
                withUnsafeBytes(of: UInt64(frame.count).bigEndian) { bytes += $0 }
                bytes += frame
            }
            bytes += state.reader.takeHeld()
            state.frames = []
            return bytes
        }
    }
}
