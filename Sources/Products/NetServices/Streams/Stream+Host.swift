import Dispatch
import Foundation

extension Stream {
    /// Makes the streams of a connection to a host, which is made when one of them is opened. No discovery takes part.
    ///
    /// Streams of this module report events to their delegates on a run loop, after `schedule(in:forMode:)`, or on a
    /// queue, after ``Foundation/Stream/schedule(on:)``. Without a delegate `read` and `write` wait.
    ///
    /// - Parameters:
    ///   - hostname: A name or an address, of IPv4 or IPv6.
    ///   - port: 1 to 65535.
    public class func getStreamsToHost(
        withName hostname: String, port: Int, inputStream: UnsafeMutablePointer<InputStream?>?,
        outputStream: UnsafeMutablePointer<OutputStream?>?
    ) {
        let connection = SocketConnection { try SocketConnector.connect(host: hostname, port: port) }
        inputStream?.pointee = SocketInputStream(connection)
        outputStream?.pointee = SocketOutputStream(connection)
    }

    /// Sends the events of a stream of this module to a serial queue, instead of run loops. Other streams have none to
    /// send.
    public func schedule(on queue: DispatchQueue) {
        (self as? SocketInputStream)?.deliverEvents(on: queue)
        (self as? SocketOutputStream)?.deliverEvents(on: queue)
    }
}
