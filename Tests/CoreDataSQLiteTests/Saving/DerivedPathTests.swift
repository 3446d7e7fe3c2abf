import CoreData
import SQLiteKit
import StoreContract
import Testing

@testable import CoreDataSQLite

@Suite("derived attributes along a to-one relationship, kept by triggers (MOD-42)")
struct DerivedPathTests {
    private static func builder(_ type: NSAttributeType = .stringAttributeType) -> ModelBuilder {
        let builder = ModelBuilder()
        builder.entity("ManagedChat", ["name": .stringAttributeType])
        builder.entity("ManagedAccount", ["serverId": .stringAttributeType])
        builder.entity("Remote", in: "ManagedAccount")
        builder.relationships("ManagedChat.otherAccount", "ManagedAccount.chats*")
        builder.derived("ManagedChat.otherAccountId", type, "otherAccount.serverId")
        return builder
    }

    private func ids(_ stack: Stack) throws -> [[Value]] {
        try stack.rows("SELECT ZOTHERACCOUNTID FROM ZMANAGEDCHAT ORDER BY ZNAME")
    }

    @Test("a store of our own has them; values follow the account and the relationship, and nothing is computed")
    func valuesFollow() throws {
        let stack = try Stack(Self.builder().model)
        let context = stack.context
        #expect(stack.file.derivedColumns == nil)
        let account = context.insert("ManagedAccount", ["serverId": "a"])
        let chats = ["1", "2"].map { context.insert("ManagedChat", ["name": $0, "otherAccount": account]) }
        let lone = context.insert("ManagedChat", ["name": "3"])
        let texts = try stack.statements { try context.save() }
        #expect(!texts.contains { $0.contains("json_each") })
        #expect(try ids(stack) == [["a"], ["a"], [.null]])
        let remote = context.insert("Remote", ["serverId": "r"])
        lone.setValue(remote, forKey: "otherAccount")
        account.setValue("b", forKey: "serverId")
        try context.save()
        #expect(try ids(stack) == [["b"], ["b"], ["r"]])
        chats[0].setValue(remote, forKey: "otherAccount")
        try context.save()
        #expect(try ids(stack) == [["r"], ["b"], ["r"]])
        context.delete(remote)
        try context.save()
        #expect(try ids(stack) == [[.null], ["b"], [.null]])
        let read = stack.statements {
            #expect((chats + [lone]).map { $0.value(forKey: "otherAccountId") as? String } == [nil, "b", nil])
        }
        #expect(read == [])
        #expect(try stack.rows("SELECT Z_OPT FROM ZMANAGEDCHAT WHERE ZNAME = '2'") == [[1]])
    }

    @Test(
        "a store with triggers in Apple's words stays writable; one with others is only read", arguments: [true, false])
    func appleTriggers(isApples: Bool) throws {
        let stack = try Stack(Self.builder().model)
        for row in try stack.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'") {
            try stack.execute("DROP TRIGGER \(row[0].text ?? "")")
        }
        // The words of a store that an app on iOS 17 has written.
        let report = "('ZMANAGEDCHAT', Z_ENT, Z_PK, 'otherAccountId', ZOTHERACCOUNTID) FROM ZMANAGEDCHAT WHERE"
        let found = isApples ? "ZSERVERID" : "upper(ZSERVERID)"
        try stack.execute(
            "CREATE TRIGGER Z_DA_ZMANAGEDCHAT_ManagedChat_otherAccountId_SOURCE_INSERT AFTER INSERT ON ZMANAGEDCHAT FOR "
                + "EACH ROW BEGIN UPDATE ZMANAGEDCHAT SET ZOTHERACCOUNTID = (SELECT \(found) FROM ZMANAGEDACCOUNT WHERE "
                + "Z_PK = NEW.ZOTHERACCOUNT) WHERE Z_PK = NEW.Z_PK; SELECT "
                + "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue\(report) Z_PK = NEW.Z_PK; END")
        try stack.execute(
            "CREATE TRIGGER Z_DA_ZMANAGEDACCOUNT_ManagedChat_otherAccountId_PARAMETER_UPDATE AFTER UPDATE OF ZSERVERID "
                + "ON ZMANAGEDACCOUNT FOR EACH ROW BEGIN UPDATE ZMANAGEDCHAT SET ZOTHERACCOUNTID = NEW.ZSERVERID WHERE "
                + "ZOTHERACCOUNT = NEW.Z_PK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue\(report) "
                + "ZOTHERACCOUNT = NEW.Z_PK; END")
        let again = try stack.reopened()
        #expect(again.store.isReadOnly == !isApples)
        guard isApples else { return }
        // Two triggers are missing, so the save computes the values too.
        let chat = again.context.insert("ManagedChat", ["name": "1"])
        let account = again.context.insert("ManagedAccount", ["serverId": "a"])
        chat.setValue(account, forKey: "otherAccount")
        try again.context.save()
        #expect(chat.value(forKey: "otherAccountId") as? String == "a")
        account.setValue("b", forKey: "serverId")
        try again.context.save()
        #expect(chat.value(forKey: "otherAccountId") as? String == "b")
        #expect(try ids(again) == [["b"]])
    }

    @Test("a value of another type than its source is computed by the save over what the triggers copy")
    func otherType() throws {
        let stack = try Stack(Self.builder(.integer16AttributeType).model)
        let account = stack.context.insert("ManagedAccount", ["serverId": "7"])
        let chat = stack.context.insert("ManagedChat", ["name": "1", "otherAccount": account])
        try stack.context.save()
        #expect(chat.value(forKey: "otherAccountId") == nil)
        #expect(try ids(stack) == [[.null]])
        #expect(try stack.integer("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'") == 4)
    }
}
