import CoreData
import CoreDataBrowser
import SQLiteKit
import StoreContract
import Testing

@Suite("A store that cannot be written now", .timeLimit(.minutes(2)))
struct StoreTroubleTests {
    @Test("a store that another program holds is 423, and what is staged is saved when it is free (BRW-20)")
    func storeThatAnotherProgramHoldsIs423() async throws {
        let heroes = try SavedHeroes(options: [NSPersistentStoreTimeoutOption: 0.05])
        let tab = EditingTab(heroes.stack)
        try await tab.stage(#"{"do": "set", "object": "\#(heroes["Alpha"])", "key": "name", "value": "A"}"#)
        let other = try Connection.open(heroes.stack.url.path)
        try other.execute("BEGIN IMMEDIATE")
        let error = try await tab.save(status: 423)["error"]
        #expect(error["code"].text == "locked" && error["hint"].text?.contains("kept") == true)
        #expect(error["reason"].text == "another program is using the store", "\(error)")
        try other.execute("ROLLBACK")
        try await tab.save()
        #expect(try heroes.stored("Alpha", "name") as? String == "A")
    }

    @Test("a full disk is 507 and a lock 423, however deep they lie in an error (BRW-20)")
    func fullDiskIs507AndLock423() {
        func wrapped(_ domain: String, _ code: Int, _ info: [String: Any] = [:]) -> NSError {
            NSError(
                domain: NSCocoaErrorDomain, code: 134030,
                userInfo: [NSUnderlyingErrorKey: NSError(domain: domain, code: code, userInfo: info)])
        }
        #expect(BrowserFailure(wrapped(NSSQLiteErrorDomain, 13)).status == 507)
        #expect(BrowserFailure(wrapped(NSSQLiteErrorDomain, 261)).status == 423)
        #expect(BrowserFailure(wrapped(NSCocoaErrorDomain, 256, [NSSQLiteErrorDomain: 6])).status == 423)
        #expect(BrowserFailure(wrapped(NSPOSIXErrorDomain, Int(ENOSPC))).code == "diskFull")
        #expect(BrowserFailure(wrapped(NSSQLiteErrorDomain, 11)).status == 500)
    }
}
