import CoreData
import Synchronization
import TestBasics
import TestServers
import Testing

/// Requests of the tool that are signed with the tokens of an account.
@Suite struct AccountTests {
    private let gallery: Gallery
    private let service = Service()
    private let server: ScriptedServer

    init() throws {
        gallery = try Gallery()
        server = try ScriptedServer { [service] request, reply in try service.answer(request, reply) }
    }

    private var environment: [String: String] { ["XDG_STATE_HOME": gallery.file("state").path] }

    private func tool(_ words: String..., input: String = "") throws -> Tool.Outcome {
        try Tool.run(words, environment: environment, input: input)
    }

    /// The provider's property list; `resources` is where its tokens may go.
    private func provider(resources: String? = nil) throws -> String {
        let file = gallery.file("Provider.plist")
        let place = server.url("").absoluteString
        let list = """
            { Name = forge; ClientID = tool; TokenEndpoint = "\(place)/token"; AuthorizationEndpoint = "\(place)/authorize";
              DeviceAuthorizationEndpoint = "\(place)/device"; RevocationEndpoint = "\(place)/revoke";
              Resources = ("\(resources ?? place)"); }
            """
        try Data(list.utf8).write(to: file)
        return file.path
    }

    private func export(_ options: String...) throws -> Tool.Outcome {
        try Tool.run(
            ["export", gallery.store.path, "Room", "--to", server.url("/inbox").absoluteString, "--account", "work"]
                + options + ["--model", gallery.model.path], environment: environment)
    }

    private func addAccount() throws {
        let added = try tool("account", "add", "work", "--provider", provider(), "--paste", input: "code-1\n")
        #expect(added.code == 0 && added.errors.contains("/authorize?"), "\(added.errors)")
    }

    @Test("an export is signed, and its token refreshed once when it is refused (WEB-09, WEB-12)")
    func exports() throws {
        defer { server.stop() }
        try addAccount()
        let first = try export()
        #expect(first.code == 0, "\(first.errors)")
        #expect(service.state.withLock { $0.signs } == ["Bearer t1"])
        service.state.withLock { ($0.valid, $0.signs, $0.bodies) = ("t2", [], []) }
        let second = try export("--portion", "1")
        #expect(second.code == 0, "\(second.errors)")
        let (signs, refreshes, bodies) = service.state.withLock { ($0.signs, $0.refreshes, $0.bodies) }
        #expect(signs.first == "Bearer t1" && signs.count > 2 && signs.dropFirst().allSatisfy { $0 == "Bearer t2" })
        #expect(refreshes == 1 && bodies.count == signs.count && bodies.allSatisfy { !$0.isEmpty })
        // The new token was kept.
        #expect(try export().code == 0 && service.state.withLock { $0.refreshes } == 1)
    }

    @Test("tokens that are of no use any more end an export with what to do, after one refresh (WEB-12)")
    func revoked() throws {
        defer { server.stop() }
        try addAccount()
        service.state.withLock { $0.valid = "none" }
        let refused = try export()
        expectRefusal(refused, containing: "must be authorized", "account add work")
        #expect(service.state.withLock { ($0.refreshes, $0.signs.count) } == (1, 2))
        service.state.withLock { $0.isRevoked = true }
        expectRefusal(try export(), containing: "must be authorized", "account add work")
        let list = try tool("account", "list", "--format", "json").json(as: [[String: Any]].self)
        #expect(list.first?["needsAuthorization"] as? Bool == true && list.first?["provider"] as? String == "forge")
    }

    @Test("an import is signed too, and tokens go to the places of the provider alone (WEB-12)")
    func imports() throws {
        defer { server.stop() }
        try addAccount()
        let words = ["import", gallery.store.path, server.url("/works.json").absoluteString, "--entity", "Work"]
        let model = ["--model", gallery.model.path]
        expectRefusal(try Tool.run(words + model), containing: "401")
        let signed = try Tool.run(words + ["--account", "work"] + model, environment: environment)
        #expect(signed.code == 0 && signed.output.contains("1 inserted"), "\(signed.output)\(signed.errors)")
        let other = try tool(
            "account", "add", "work", "--provider", provider(resources: "https://api.forge.test"), "--paste",
            input: "code-1\n")
        #expect(other.code == 0, "\(other.errors)")
        service.state.withLock { $0.signs = [] }
        expectRefusal(try export(), containing: "does not name http://127.0.0.1", "Resources")
        #expect(service.state.withLock { $0.signs.isEmpty })
    }

    @Test(
        "an account is added by a code for another device, kept for its owner alone, and removed with its tokens (WEB-12)"
    )
    func life() throws {
        defer { server.stop() }
        let added = try tool("account", "add", "phone", "--provider", provider(), "--device")
        #expect(added.code == 0 && added.errors.contains("WDJB-MJHT"), "\(added.errors)")
        let folder = gallery.file("state/opencoredata/accounts")
        for name in ["accounts.json", "provider-phone.plist"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(name).path)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        let list = try tool("account", "list")
        #expect(list.output.contains("phone") && list.output.contains("forge") && !list.output.contains("t1"))
        #expect(try tool("account", "remove", "phone").output == "removed the account phone\n")
        #expect(service.state.withLock { $0.revoked } == ["refresh-1", "t1"])
        #expect(try tool("account", "list").output.isEmpty)
        expectRefusal(try tool("account", "remove", "phone"), containing: "no such account")
    }

    @Test("an account whose provider's file is lost is removed with its tokens, and a warning (WEB-12)")
    func lostProvider() throws {
        defer { server.stop() }
        try addAccount()
        let folder = gallery.file("state/opencoredata/accounts")
        try FileManager.default.removeItem(at: folder.appendingPathComponent("provider-work.plist"))
        expectRefusal(try export(), containing: "work", "the account's provider cannot be read")
        let removed = try tool("account", "remove", "work")
        #expect(removed.code == 0 && removed.output == "removed the account work\n", "\(removed.errors)")
        #expect(removed.errors.contains("warning") && service.state.withLock { $0.revoked.isEmpty })
        #expect(try tool("account", "list").output.isEmpty)
    }

    @Test("what an account cannot be is refused before anything is asked for (WEB-12)")
    func refusals() throws {
        defer { server.stop() }
        let list = try provider()
        for name in ["../x", ".hidden", "a b", ""] {
            #expect(try tool("account", "add", name, "--provider", list, "--paste").code == 2, "\(name)")
        }
        #expect(try tool("account", "add", "a", "--provider", list, "--paste", "--device").code == 2)
        #expect(try tool("account", "add", "a").code == 2)
        expectRefusal(try export(), containing: "work", "no such account")
        #expect(try export("--header", "Authorization: x").code == 1)
        try Data("{ Name = x; }".utf8).write(to: gallery.file("Provider.plist"))
        expectRefusal(try tool("account", "add", "a", "--provider", list, "--paste"), containing: "TokenEndpoint")
        let none = try Tool.run("export", gallery.store.path, "--account", "work", "--model", gallery.model.path)
        #expect(none.code == 2 && none.errors.contains("--account goes with --to URL"), "\(none.errors)")
        #expect(server.requests.isEmpty)
    }
}

/// A provider and the place that its tokens are for.
private final class Service: Sendable {
    struct State {
        /// The token that the place takes.
        var valid = "t1"
        var isRevoked = false
        var signs: [String] = []
        var bodies: [Data] = []
        var refreshes = 0
        var revoked: [String] = []
    }

    let state = Mutex(State())

    func answer(_ request: ScriptedServer.Request, _ reply: ScriptedServer.Reply) throws {
        let form = String(decoding: request.body, as: UTF8.self)
        switch request.path {
        case "/device":
            try json(
                reply,
                """
                {"device_code": "d", "user_code": "WDJB-MJHT", "interval": 1, "expires_in": 60,
                 "verification_uri": "https://forge.test/device"}
                """)
        case "/token" where form.contains("grant_type=refresh_token"):
            let isRevoked = state.withLock { state in
                state.refreshes += 1
                return state.isRevoked
            }
            guard !isRevoked else { return try json(reply, "{\"error\": \"invalid_grant\"}", status: 400) }
            try tokens(reply, "t2")
        case "/token": try tokens(reply, "t1")
        case "/revoke":
            let token = form.firstMatch(of: /token=([^&]*)/)?.output.1 ?? ""
            state.withLock { $0.revoked.append(String(token)) }
            try reply.respond(200, text: "")
        default: try place(request, reply)
        }
    }

    private func place(_ request: ScriptedServer.Request, _ reply: ScriptedServer.Reply) throws {
        let sign = request.field("Authorization") ?? ""
        let isValid = state.withLock { state in
            state.signs.append(sign)
            state.bodies.append(request.body)
            return sign == "Bearer \(state.valid)"
        }
        guard isValid else { return try reply.respond(401, text: "no") }
        guard request.method == "GET" else { return try reply.respond(201, text: "thanks") }
        try json(reply, "[{\"code\": \"Signed\"}]")
    }

    private func tokens(_ reply: ScriptedServer.Reply, _ access: String) throws {
        try json(
            reply,
            "{\"access_token\":\"\(access)\",\"token_type\":\"Bearer\",\"expires_in\":3600,\"refresh_token\":\"refresh-1\"}"
        )
    }

    private func json(_ reply: ScriptedServer.Reply, _ text: String, status: Int = 200) throws {
        try reply.respond(status, ["Content-Type: application/json", "Cache-Control: no-store"], text: text)
    }
}
