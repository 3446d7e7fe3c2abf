import CoreData
import StoreContract
import Testing

@Suite("Losses of a save are reported")
struct LossTests {
    private let stack: Stack

    init() throws {
        let builder = ModelBuilder()
        builder.entity("Price", ["amount": .decimalAttributeType])
        stack = try Stack(builder.model)
    }

    @Test(
        "a decimal of more digits than are kept is reported without its value, and saved (MOD-15)",
        arguments: [
            ("1234567890123456", false), ("0.1234567890123456", true), ("-98765432109876543.21", true),
            ("9223372036854775808", true), ("123456789012345", false), ("-9223372036854775808", false),
            ("0.00012345", false), ("1200000000000000000000", false), ("0", false),
        ])
    func decimalOfMoreDigitsThanAreKeptIsReportedWithoutItsValue(text: String, isReported: Bool) throws {
        var reports: [NSError] = []
        stack.context.dataErrorHandler = { error, object in
            reports.append(error as NSError)
            #expect(object?.entity.name == "Price")
        }
        stack.context.insert("Price", ["amount": NSDecimalNumber(string: text)])
        try stack.context.save()
        #expect(reports.count == (isReported ? 1 : 0))
        #expect(reports.allSatisfy { $0.localizedDescription.contains("'amount'") })
        #expect(reports.allSatisfy { !"\($0.localizedDescription)".contains(text.prefix(5)) })
        #expect(try stack.integer("SELECT count(*) FROM ZPRICE WHERE ZAMOUNT IS NOT NULL") == 1)
    }
}
