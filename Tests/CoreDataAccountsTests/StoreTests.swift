import Foundation
import TestBasics
import Testing

@testable import CoreDataAccounts

@Suite struct StoreTests {
    private let folder: TemporaryFolder
    private var place: URL { folder.url.appendingPathComponent("above/state") }
    private var file: String { place.appendingPathComponent("accounts.json").path }

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    private func tokens(_ access: String) -> AccountTokens { AccountTokens(access: Secret(access)) }

    @Test("accounts lie in a file for their owner alone, and are there for the next store (WEB-12)")
    func fileModes() throws {
        let before = umask(0)
        defer { umask(before) }
        let store = AccountStore(folder: place)
        #expect(try store.accounts().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: place.path))
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let full = AccountTokens(
            access: Secret("one"), refresh: Secret("two"), expiry: now + 3_600, receipt: now, scopes: ["read"])
        try store.add(Account(identifier: "a", name: "Ann", provider: "test"), tokens: full, apps: ["reader"])
        #expect(try mode(place.path) == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: place.path) {
            #expect(try mode(place.appendingPathComponent(name).path) == 0o600, "\(name)")
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.path).sorted() == [
                "accounts.json", "accounts.lock",
            ])
        let next = AccountStore(folder: place)
        #expect(try next.tokens(of: "a", app: "reader") == full)
        #expect(try next.accounts() == store.accounts())
    }

    @Test(
        "a file or folder that others may read or change is refused, with what to do (WEB-12)",
        arguments: [0o640, 0o604, 0o620])
    func insecureFiles(mode: Int) throws {
        let store = AccountStore(folder: place)
        try store.add(
            Account(identifier: "a", name: "Ann", provider: "test"), tokens: tokens("secret-token"), apps: ["app"])
        #expect(chmod(file, mode_t(mode)) == 0)
        let error = #expect(throws: AccountError.self) { try store.tokens(of: "a", app: "app") }
        #expect(error?.code == .insecureFile)
        let reason = error?.reason ?? ""
        #expect(reason.contains(file) && reason.contains("chmod go-rwx") && reason.contains(String(mode, radix: 8)))
        #expect(!reason.contains("secret-token"))
        #expect(throws: AccountError.self) { try store.grant("a", to: "b") }
        #expect(chmod(file, 0o600) == 0)
        #expect(try store.accounts().count == 1)
        #expect(chmod(place.path, 0o750) == 0)
        #expect(throws: AccountError.self) { try store.accounts() }
        #expect(chmod(place.path, 0o700) == 0)
    }

    @Test("links in place of the file or the folder are refused (WEB-12)")
    func links() throws {
        let store = AccountStore(folder: place)
        try store.add(Account(identifier: "a", name: "Ann", provider: "test"), tokens: tokens("one"))
        let other = folder.url.appendingPathComponent("other").path
        #expect(rename(file, other) == 0 && symlink(other, file) == 0)
        #expect(throws: AccountError.self) { try store.accounts() }
        #expect(unlink(file) == 0 && mkfifo(file, 0o600) == 0)
        let error = #expect(throws: AccountError.self) { try store.accounts() }
        #expect(error?.code == .insecureFile)
        let link = folder.url.appendingPathComponent("link")
        #expect(symlink(place.path, link.path) == 0)
        #expect(throws: AccountError.self) { try AccountStore(folder: link).accounts() }
        // What a crash left, or another put there, is not written through.
        #expect(unlink(file) == 0 && symlink(other, file + ".new") == 0)
        let before = try Data(contentsOf: URL(fileURLWithPath: other))
        try store.add(Account(identifier: "b", name: "Bob", provider: "test"), tokens: tokens("two"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == before)
        #expect(try store.accounts().map(\.identifier) == ["b"])
    }

    @Test(
        "a damaged file, one of another version and one that is too large are refused without their content, and stay (WEB-12)"
    )
    func damagedFiles() throws {
        let store = AccountStore(folder: place)
        try store.add(Account(identifier: "a", name: "Ann", provider: "test"), tokens: tokens("one"))
        let account = "{\"identifier\":\"a\",\"name\":\"s3cr3t\",\"provider\":\"p\"}"
        for text in [
            "", "{", "[]", "{\"version\":1}", "{\"version\":2,\"accounts\":[]}",
            "{\"version\":1,\"accounts\":[{\"s3cr3t\":1}]}",
            "{\"version\":1,\"accounts\":[\(account),\(account)]}", String(repeating: " ", count: 5 << 20),
            String(repeating: "[", count: 200_000),
        ] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            #expect(chmod(file, 0o600) == 0)
            for body in [{ _ = try store.accounts() }, { try store.remove("a") }] as [() throws -> Void] {
                let error = #expect(throws: AccountError.self) { try body() }
                #expect(error?.code == .unreadableStore && error?.reason.contains("s3cr3t") == false)
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(text.utf8))
        }
    }

    @Test("an app uses only accounts that it was granted, until the grant is taken back (WEB-12)")
    func grants() throws {
        let store = AccountStore(folder: place)
        for name in ["a", "b"] {
            try store.add(Account(identifier: name, name: name, provider: "test"), tokens: tokens(name))
        }
        try store.grant("a", to: "reader")
        #expect(try store.accounts(for: "reader").map(\.identifier) == ["a"])
        #expect(try store.tokens(of: "a", app: "reader").access == Secret("a"))
        func code(_ account: String, _ app: String) -> AccountError.Code? {
            do {
                _ = try store.tokens(of: account, app: app)
                return nil
            } catch { return (error as? AccountError)?.code }
        }
        #expect(code("b", "reader") == .notPermitted(app: "reader", account: "b"))
        #expect(code("a", "other") == .notPermitted(app: "other", account: "a"))
        // That there is no such account is not said to one without a right to it.
        #expect(code("c", "reader") == .notPermitted(app: "reader", account: "c"))
        #expect(throws: AccountError.self) { try store.grant("c", to: "reader") }
        try store.revokeGrant(of: "a", to: "reader")
        #expect(code("a", "reader") == .notPermitted(app: "reader", account: "a"))
        // Grants stay when the account is authorized again.
        try store.grant("b", to: "reader")
        try store.add(Account(identifier: "b", name: "Bob", provider: "test"), tokens: tokens("new"))
        #expect(try store.tokens(of: "b", app: "reader").access == Secret("new"))
    }

    @Test("the chosen account is remembered by its identifier, for each app, as long as it is granted (WEB-12)")
    func choice() throws {
        let store = AccountStore(folder: place)
        for name in ["a", "b"] {
            let account = Account(identifier: name, name: name, provider: "test")
            try store.add(account, tokens: tokens(name), apps: ["reader", "writer"])
        }
        #expect(try store.chosenAccount(for: "reader") == nil)
        try store.choose("b", for: "reader")
        #expect(try AccountStore(folder: place).chosenAccount(for: "reader")?.identifier == "b")
        #expect(try store.chosenAccount(for: "writer") == nil)
        // A new name changes nothing.
        try store.add(Account(identifier: "b", name: "Bob", provider: "test"), tokens: tokens("b"))
        #expect(try store.chosenAccount(for: "reader")?.name == "Bob")
        #expect(throws: AccountError.self) { try store.choose("b", for: "other") }
        try store.revokeGrant(of: "b", to: "reader")
        #expect(try store.chosenAccount(for: "reader")?.identifier == "a")
        try store.grant("b", to: "reader")
        #expect(try store.chosenAccount(for: "reader") == nil)
        try store.choose("b", for: "writer")
        try store.remove("b")
        #expect(try store.chosenAccount(for: "writer")?.identifier == "a")
        #expect(try store.accounts().map(\.identifier) == ["a"])
    }

    @Test("changes of several stores at once are all kept (WEB-12)")
    func concurrentChanges() async throws {
        let place = place
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask {
                    let store = AccountStore(folder: place)
                    let account = Account(identifier: "\(number)", name: "n", provider: "test")
                    try store.add(account, tokens: AccountTokens(access: Secret("t")), apps: ["app"])
                    _ = try store.accounts(for: "app")
                }
            }
            try await group.waitForAll()
        }
        #expect(try AccountStore(folder: place).accounts().count == 24)
    }

    @Test("what systemd hands over is read, changed in memory only, and refused if everybody may read it (WEB-12)")
    func credentials() throws {
        let store = AccountStore(folder: place)
        try store.add(Account(identifier: "a", name: "Ann", provider: "test"), tokens: tokens("one"), apps: ["app"])
        let environment = ["CREDENTIALS_DIRECTORY": place.path]
        #expect(chmod(file, 0o440) == 0)
        let before = try Data(contentsOf: URL(fileURLWithPath: file))
        let credential = try AccountStore(credential: "accounts.json", environment: environment)
        #expect(try credential.tokens(of: "a", app: "app").access == Secret("one"))
        try credential.setTokens(tokens("two"), of: "a")
        #expect(try credential.tokens(of: "a", app: "app").access == Secret("two"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
        #expect(chmod(file, 0o444) == 0)
        for (name, variables) in [
            ("accounts.json", environment), ("../state/accounts.json", environment), ("none", environment),
            ("accounts.json", [:]), ("accounts.json", ["CREDENTIALS_DIRECTORY": "relative"]),
        ] {
            #expect(throws: AccountError.self) { try AccountStore(credential: name, environment: variables) }
        }
    }

    @Test("the folder for a program's accounts is that of its state, and an invalid name is refused (WEB-12)")
    func stateFolder() throws {
        func path(_ variables: [String: String]) throws -> String {
            try AccountStore.stateFolder(of: "reader", environment: variables).path
        }
        #expect(try path(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/reader")
        #expect(try path(["XDG_STATE_HOME": "s", "HOME": "/h"]) == "/h/.local/state/reader")
        #expect(throws: AccountError.self) { try path([:]) }
        for name in ["", "..", "a/b", ".hidden"] {
            #expect(throws: AccountError.self) { try AccountStore.stateFolder(of: name, environment: ["HOME": "/h"]) }
        }
    }

    @Test("no way to print, dump, mirror or encode shows a token (WEB-12)")
    func secrets() throws {
        let secret = Secret("t0k3n")
        let holder = AccountTokens(access: secret, refresh: secret)
        var dumped = ""
        dump(holder, to: &dumped)
        dump(secret, to: &dumped)
        struct Entry: Encodable { var secret: Secret }
        let encoded = String(decoding: try JSONEncoder().encode(Entry(secret: secret)), as: UTF8.self)
        let shown = [
            "\(secret)", String(reflecting: secret), "\(holder)", String(reflecting: holder), dumped, encoded,
            "\(Mirror(reflecting: secret).children.map { "\($0.value)" })", "\([secret])", "\(Optional(secret) as Any)",
        ]
        for text in shown { #expect(!text.contains("t0k3n"), "\(text)") }
        #expect(secret.reveal() == "t0k3n")
        #expect(secret == Secret("t0k3n") && secret != Secret("t0k3m") && secret != Secret("t0k3n0"))
    }
}
