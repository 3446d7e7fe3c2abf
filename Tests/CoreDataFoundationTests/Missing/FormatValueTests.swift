import CoreDataFoundation
import Testing

@Suite struct FormatValueTests {
    @Test("values of Foundation are arguments of format strings, as on Apple's platforms")
    func valuesOfFoundationAreArgumentsOfFormatStrings() {
        let id = UUID()
        let date = Date(timeIntervalSinceReferenceDate: 0)
        let arguments: [CVarArg] = [date, id, ["a"], NSNull(), URL(fileURLWithPath: "/tmp"), Decimal(3), 5, "s"]
        let text = String(format: "%@|%@|%@|%@|%@|%@|%d|%@", arguments: arguments)
        let parts = text.split(separator: "|").map(String.init)
        #expect(parts.count == 8)
        #expect(parts.first?.hasPrefix("2001-01-01") == true)
        #expect(parts[1] == id.uuidString && parts[2].contains("a") && parts[4].contains("/tmp"))
        #expect(parts[5] == "3" && parts[6] == "5" && parts[7] == "s")
        #expect(String(format: "%@ %@", NSNumber(value: 4), NSString(string: "n")) == "4 n")
    }

    @Test("an argument may be cast to CVarArg, and means the same") func argumentMayBeCastToCVarArg() {
        let date = Date(timeIntervalSinceReferenceDate: 7)
        let id = UUID()
        let data = Data([1, 2])
        let row: [String: Any] = ["date": date, "id": id, "data": data, "name": "b"]
        let plain = NSPredicate(format: "date == %@ AND id == %@ AND data == %@ AND name IN %@", date, id, data, ["b"])
        let cast = NSPredicate(
            format: "date == %@ AND id == %@ AND data == %@ AND name IN %@", date as CVarArg, id as CVarArg,
            data as CVarArg, ["b"] as CVarArg)
        #expect(cast.predicateFormat == plain.predicateFormat)
        #expect(cast.evaluate(with: row))
        #expect(!NSPredicate(format: "name IN %@", Set(["c"]) as CVarArg).evaluate(with: row))
        let listed: [CVarArg] = ["b", date]
        #expect(NSPredicate(format: "name == %@ AND date == %@", argumentArray: listed).evaluate(with: row))
    }
}
