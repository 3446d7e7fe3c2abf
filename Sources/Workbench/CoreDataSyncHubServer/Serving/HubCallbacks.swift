import CMicroHTTPD
import HTTPServerKit

/// The functions that the daemon calls. They are nonisolated, since the daemon calls them on a thread of its own.
enum HubCallbacks {
    /// Makes the exchange of a request whose first line has arrived.
    nonisolated static let begin:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>, OpaquePointer)
            -> UnsafeMutableRawPointer? = { context, target, connection in
                guard let context else { return nil }
                let core = Unmanaged<HubCore>.fromOpaque(context).takeUnretainedValue()
                let exchange = core.begin(
                    target: String(validatingCString: target), ConnectionHandle(pointer: connection))
                cmicrohttpd_hide_query(target)
                return Unmanaged.passRetained(exchange).toOpaque()
            }

    /// Receives the next part of a request.
    nonisolated static let receive: MHD_AccessHandlerCallback = { _, _, _, method, _, data, size, state in
        guard let method, let size, let exchange = state?.pointee else { return .NO }
        let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size.pointee)
        return Unmanaged<HubExchange>.fromOpaque(exchange).takeUnretainedValue()
            .receive(String(cString: method), bytes, rest: &size.pointee)
    }

    /// Ends the exchange of a request, whether or not it was answered.
    nonisolated static let complete: MHD_RequestCompletedCallback = { context, _, state, _ in
        guard let context, let pointer = state?.pointee else { return }
        state?.pointee = nil
        let exchange = Unmanaged<HubExchange>.fromOpaque(pointer).takeRetainedValue()
        Unmanaged<HubCore>.fromOpaque(context).takeUnretainedValue().end(exchange)
    }

    /// Records connections that are opened and closed, and asks clients for their keys.
    nonisolated static let connect: MHD_NotifyConnectionCallback = { context, connection, _, code in
        guard let context, let connection else { return }
        let core = Unmanaged<HubCore>.fromOpaque(context).takeUnretainedValue()
        let handle = ConnectionHandle(pointer: connection)
        guard cmicrohttpd_has_started(code) != 0 else { return core.places.close(handle) }
        HubAccess.askForKey(handle)
        core.places.open(handle)
    }
}
