import CoreDataSourcePorting
import Testing

/// Methods of migration policies that expressions of a mapping model call by name.
@Suite struct PolicyFunctionTests {
    private let source = """
        class Base: NSEntityMigrationPolicy {
            @objc func initials(of name: String) -> String { "" }
        }
        public final class BookPolicy: Base {
            @objc func title(number: NSNumber?, for kind: Any) -> Any? { nil }
            @objc(rate:by:) func rating(_ stars: Int, _ factor: Int?) -> Int { 0 }
            @objc func note() {}
            @objc func plain(_ value: Any?) -> Any? { value }
            @objc func failing(_ name: String) throws -> String { name }
            func unseen(_ name: String) -> String { name }
            override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}
        }
        @objcMembers class Exposed: NSEntityMigrationPolicy {
            func stringByAdding(text: String) -> String { text }
            private func hidden() {}
            @nonobjc func swiftOnly() {}
        }
        class Other: NSObject { @objc func initials(of name: String) -> String { "" } }
        """

    @Test("a policy gets the list of the functions that expressions call (MIG-13)") func listsFunctions() throws {
        let result = try ported(source)
        for line in [
            "    override class var functions: [String: Function] {",
            "    override public class var functions: [String: Function] {",
            "            \"initialsOf:\": { policy, arguments in",
            "                guard let policy = policy as? Base, arguments.count == 1 else { return nil }",
            "                guard let value0 = arguments[0] as? String else { return nil }",
            "                return policy.initials(of: value0)",
            "            \"titleWithNumber:for:\": { policy, arguments in",
            "                let value0 = arguments[0] as? NSNumber",
            "                guard let value1 = arguments[1] else { return nil }",
            "                return policy.title(number: value0, for: value1)",
            "            \"rate:by:\": { policy, arguments in",
            "                return policy.rating(value0, value1)",
            "                guard let policy = policy as? BookPolicy else { return nil }",
            "                policy.note()",
            "                let value0 = arguments[0]",
            "            \"stringByAddingWithText:\": { policy, arguments in",
        ] {
            #expect(result.text.contains(line + "\n"), "\(line)")
        }
        #expect(result.text.components(separatedBy: "class var functions").count == 4)
        #expect(!result.text.contains("\"hidden") && !result.text.contains("\"swiftOnly"))
        #expect(!result.text.contains("\"unseen:") && !result.text.contains("\"failing"))
        let again = try ported(result.text).text
        #expect(again == result.text)
    }

    @Test("a function that cannot be listed is reported (MIG-13)") func reportsOthers() throws {
        let findings = try ported(source).findings.map(\.message)
        #expect(findings.contains { $0.contains("'failing'") && $0.contains("BookPolicy.functions") })
    }
}
