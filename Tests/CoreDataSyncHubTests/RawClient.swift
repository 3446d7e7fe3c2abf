import Foundation
import TestServers

/// A client of a hub over plain HTTP that sends bytes as a test writes them.
final class RawClient {
    private let descriptor: Int32

    init(port: Int) throws { descriptor = try LoopbackSocket.connect(port: port, patience: 30) }

    deinit { close(descriptor) }

    /// Sends text; false if the hub has closed the connection.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Reads until the text ends with `end`, or the hub closes the connection or is silent.
    func receive(until end: String? = nil) -> String {
        var text = ""
        var part = [UInt8](repeating: 0, count: 65_536)
        while end.map({ !text.hasSuffix($0) }) ?? true {
            let count = recv(descriptor, &part, part.count, 0)
            guard count > 0 else { break }
            text += String(decoding: part[..<count], as: UTF8.self)
        }
        return text
    }

    /// Whether the hub closes the connection before it is silent for the usual time.
    func hubCloses() -> Bool {
        var byte: UInt8 = 0
        while true {
            let count = recv(descriptor, &byte, 1, 0)
            if count <= 0 { return count == 0 || errno == ECONNRESET }
        }
    }
}
