import CMicroHTTPD

/// A connection of libmicrohttpd, of which other threads may only resume it.
struct ConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// What no other open connection has.
    var name: UInt { UInt(bitPattern: pointer) }

    /// Nothing is done with the connection until it is resumed. Only for callbacks of the connection.
    func suspend() { MHD_suspend_connection(pointer) }

    /// Goes on with a connection that is suspended.
    func resume() { MHD_resume_connection(pointer) }

    /// The client's address, as a number that means nothing else; 0 where it is not known.
    var address: UInt32 { cmicrohttpd_address(pointer) }

    var socket: Int32 { cmicrohttpd_socket(pointer) }
}
