import CoreData

/// `POST …/values/{name}/address`: an address of the value's bytes for a media element, as `{"address"}`.
struct ValueAddressPage: Page {
    let route = Route("POST /stores/{store}/objects/{entity}/{key}/values/{name}/address")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (name, key) = (call.objectName, call.parameters["name"] ?? "")
        let (store, access) = (try call.store, call.access)
        let open: ValueTickets.Opening = {
            try await store.read(for: access) { try ValueBytes($0, name: name, key: key) }
        }
        _ = try await open()
        return .json(
            .object([("address", .string("/playing/" + call.browser.tickets.add(try call.ticketOwner, open)))]))
    }
}

/// `GET /playing/{ticket}`: the bytes of a value, or a range of them, in the session for which the address was made.
struct PlayingPage: PublicPage {
    let route = Route("GET /playing/{ticket}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        guard let open = call.browser.tickets.opening(call.parameters["ticket"] ?? "", try call.ticketOwner) else {
            throw BrowserFailure.notFound
        }
        return ValuePage.response(try await open(), to: call.request)
    }
}

extension PageCall {
    fileprivate var ticketOwner: ValueTickets.Owner {
        get throws {
            if let user = request.user { return .user(user.name) }
            guard let session = browser.access.session(of: request), browser.access.sessions.has(session) else {
                // A program with the server's token plays nothing.
                throw BrowserFailure(
                    401, code: "noSession", reason: "the request belongs to no session",
                    hint: "open the address that is printed at the start, or send the token of --token-file")
            }
            return .session(session)
        }
    }
}
