import CMicroHTTPD
import CoreDataBrowser
import HTTPServerKit

/// The functions that the daemon calls. They are nonisolated, since the daemon calls them on a thread of its own.
enum ServerCallbacks {
    /// Makes the exchange of a request whose first line has arrived.
    nonisolated static let begin:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>, OpaquePointer)
            -> UnsafeMutableRawPointer? = { context, target, connection in
                guard let context else { return nil }
                let server = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
                let exchange = server.begin(
                    target: String(validatingCString: target), bytes: strlen(target),
                    ConnectionHandle(pointer: connection))
                cmicrohttpd_hide_query(target)
                return Unmanaged.passRetained(exchange).toOpaque()
            }

    /// Receives the next part of a request.
    nonisolated static let receive: MHD_AccessHandlerCallback = { _, _, target, method, version, data, size, state in
        guard let line = RequestLine(method: method, target: target, version: version), let size,
            let exchange = state?.pointee
        else { return .NO }
        let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size.pointee)
        return Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue().receive(line, bytes, rest: &size.pointee)
    }

    /// Ends the exchange of a request, whether or not it was answered.
    nonisolated static let complete: MHD_RequestCompletedCallback = { context, _, state, _ in
        guard let context, let pointer = state?.pointee else { return }
        state?.pointee = nil
        let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
        Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().end(exchange)
    }

    /// Records connections that are opened and closed.
    nonisolated static let connect: MHD_NotifyConnectionCallback = { context, connection, _, code in
        guard let context, let connection else { return }
        let places = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().places
        let handle = ConnectionHandle(pointer: connection)
        if cmicrohttpd_has_started(code) != 0 { places.open(handle) } else { places.close(handle) }
    }
}
