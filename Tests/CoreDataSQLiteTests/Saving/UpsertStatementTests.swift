import CoreData
import StoreContract
import Testing

@Suite("Statements of upserts")
struct UpsertStatementTests {
    @Test("10,000 upserts: a statement for each row tried and written, and a few for all that is looked up")
    func of10000UpsertsStatementForEachRowTriedAndWritten() throws {
        let builder = ModelBuilder()
        builder.entity("User", ["mail": .stringAttributeType, "name": .stringAttributeType])
        builder["User"].uniquenessConstraints = [["mail"]]
        let stack = try Stack(builder.model)
        let count = 10_000
        let writer = stack.newContext()
        for number in 0..<count { writer.insert("User", ["mail": "\(number)", "name": "old"]) }
        try writer.save()
        for number in 0..<count { stack.context.insert("User", ["mail": "\(number)", "name": "new"]) }
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let texts = try stack.statements { try stack.context.save() }
        #expect(
            texts.filter { $0.hasPrefix("INSERT INTO \"ZUSER\"") || $0.hasPrefix("INSERT INTO ZUSER") }.count == count)
        #expect(texts.filter { $0.hasPrefix("UPDATE") }.count == count)
        #expect(texts.count < 2 * count + 100)
        #expect(try stack.integer("SELECT count(*) FROM ZUSER WHERE ZNAME = 'new'") == Int64(count))
    }
}
