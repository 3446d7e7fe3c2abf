import CoreData
import SQLiteKit
import Testing

@Suite("Schemas that would do more than they should")
struct HostileSchemaTests {
    @Test(
        "code in the schema is not run: the store is read-only and says why (HAZ-10)",
        arguments: [
            "CREATE TRIGGER sneaky AFTER INSERT ON ZBOOK BEGIN DELETE FROM ZSHELF; END",
            "CREATE TRIGGER sneaky AFTER UPDATE ON Z_PRIMARYKEY BEGIN DELETE FROM ZSHELF; END",
            "CREATE TRIGGER sneaky BEFORE INSERT ON ZTAG BEGIN SELECT load_extension('evil'); END",
            "CREATE TRIGGER sneaky AFTER DELETE ON Z_METADATA BEGIN DELETE FROM ZSHELF; END",
            "ALTER TABLE ZBOOK ADD COLUMN ZEVIL INTEGER GENERATED ALWAYS AS (length(ZTITLE)) VIRTUAL",
            "ALTER TABLE ZTAG ADD COLUMN ZEVIL INTEGER CHECK (ZEVIL > 5)",
        ])
    func codeIsNotRun(_ statement: String) throws {
        let url = try SampleStore.make()
        let expected = Survey(url).contents
        try SampleStore.tamper(url, statement)
        let before = try Data(contentsOf: url)
        let survey = Survey(url, writes: true)
        #expect(survey.contents == expected)
        #expect(survey.isReadOnly)
        #expect(survey.problems.contains { $0.contains("read-only") }, "\(survey.problems)")
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("a trigger of another table, a view and an index do not stand in the way (HAZ-10)")
    func harmlessAdditions() throws {
        let url = try SampleStore.make()
        try SampleStore.tamper(
            url, "CREATE TABLE notes (text)",
            "CREATE TRIGGER own AFTER INSERT ON notes BEGIN UPDATE notes SET text = 'x'; END",
            "CREATE VIEW many AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
            "CREATE INDEX fast ON ZBOOK (ZTITLE)")
        let survey = Survey(url, writes: true)
        #expect(survey.error == nil)
        #expect(!survey.isReadOnly)
        #expect(survey.problems.contains { $0.contains("notes") })
    }

    @Test("views and computed columns in place of the bookkeeping are refused, not evaluated (HAZ-10)")
    func computedBookkeeping() throws {
        let url = try SampleStore.make()
        try SampleStore.tamper(url, "ALTER TABLE Z_METADATA RENAME TO M", "CREATE VIEW Z_METADATA AS SELECT * FROM M")
        let view = Survey(url)
        #expect(view.isClearRefusal)

        let computed = try SampleStore.make()
        try SampleStore.tamper(
            computed, "ALTER TABLE Z_METADATA RENAME COLUMN Z_PLIST TO OLD",
            "ALTER TABLE Z_METADATA ADD COLUMN Z_PLIST BLOB GENERATED ALWAYS AS (zeroblob(900000000)) VIRTUAL")
        #expect(Survey(computed).isClearRefusal)

        let column = try SampleStore.make()
        try SampleStore.tamper(
            column, "ALTER TABLE ZTAG RENAME COLUMN ZWORD TO OLD",
            "ALTER TABLE ZTAG ADD COLUMN ZWORD VARCHAR GENERATED ALWAYS AS (hex(zeroblob(90000000))) VIRTUAL")
        let survey = Survey(column)
        #expect(survey.isClearRefusal)
        #expect(survey.error?.localizedDescription.contains("ZWORD") == true)
    }

    @Test("names and messages out of the file are one line, however long they are (HAZ-10)")
    func namesAreOneLine() throws {
        let url = try SampleStore.make()
        let name = "evil\n\u{202E}\u{1B}[31m" + String(repeating: "x", count: 5_000)
        try SampleStore.tamper(url, "CREATE TRIGGER \"\(name)\" AFTER INSERT ON ZTAG BEGIN SELECT 1; END")
        let survey = Survey(url)
        #expect(survey.isReadOnly)
        for problem in survey.problems {
            #expect(!problem.contains("\n") && !problem.contains("\u{1B}") && !problem.contains("\u{202E}"))
            #expect(problem.count < 500)
        }
    }

    @Test("a missing table or column is named (HAZ-16)")
    func missingParts() throws {
        let table = try SampleStore.make()
        try SampleStore.tamper(table, "DROP TABLE ZTAG")
        let first = Survey(table)
        #expect(first.isClearRefusal)
        #expect(first.error?.code == 134020)
        #expect(first.error?.localizedDescription.contains("The table ZTAG of Tag is missing.") == true)
        #expect((first.error?.userInfo["differences"] as? [String])?.isEmpty == false)

        let column = try SampleStore.make()
        try SampleStore.tamper(column, "DROP INDEX ZBOOK_Z_ENT_INDEX", "ALTER TABLE ZBOOK DROP COLUMN ZPAGES")
        let second = Survey(column)
        #expect(second.isClearRefusal)
        #expect(second.error?.localizedDescription.contains("ZPAGES") == true)

        let extra = try SampleStore.make()
        let expected = Survey(extra).contents
        try SampleStore.tamper(extra, "ALTER TABLE ZBOOK ADD COLUMN ZMORE VARCHAR", "CREATE TABLE ZMORE (Z_PK INTEGER)")
        let third = Survey(extra, writes: true)
        #expect(third.contents == expected)
        #expect(third.error == nil)
        #expect(third.problems.count == 2)
    }

    @Test("a table whose rows are not found by their keys is refused, not read as rows without keys (HAZ-04, HAZ-16)")
    func keyThatIsNotRowNumber() throws {
        let url = try SampleStore.make()
        try SampleStore.tamper(
            url, "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET sql = replace(sql, 'PRIMARY KEY', 'PRIMARX KEY') WHERE name = 'ZTAG'")
        let survey = Survey(url)
        #expect(survey.isClearRefusal)
        #expect(survey.error?.code == 134020)
        #expect(
            survey.error?.localizedDescription.contains("The column Z_PK of the table ZTAG is not declared") == true)
    }
}
