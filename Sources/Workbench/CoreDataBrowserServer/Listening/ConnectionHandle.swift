import CMicroHTTPD

/// A connection of libmicrohttpd. Threads other than the daemon's may only resume it.
struct ConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Identifies the connection among the open ones.
    var name: UInt { UInt(bitPattern: pointer) }

    /// Suspends the connection: the daemon leaves it alone until it is resumed. Only for callbacks of the connection.
    func suspend() { MHD_suspend_connection(pointer) }

    /// Lets the daemon continue with a suspended connection.
    func resume() { MHD_resume_connection(pointer) }

    /// A number that identifies the client's address; 0 if the address is not known.
    var address: UInt32 { cmicrohttpd_address(pointer) }

    var socket: Int32 { cmicrohttpd_socket(pointer) }
}
