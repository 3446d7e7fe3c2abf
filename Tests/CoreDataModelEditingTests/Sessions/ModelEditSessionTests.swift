import CoreDataModelCompiler
import CoreDataModelEditing
import Testing

@Suite struct ModelEditSessionTests {
    @Test("steps of several edits are undone and done again as one, by their names (TOOL-06)")
    func stepsOfSeveralEditsAreUndoneAndDoneAgain() throws {
        var session = ModelEditSession(try EditedSource.document())
        try session.perform(
            [ModelEdit("add entity Lair"), ModelEdit("add attribute Lair.size type=Double")], name: "lairs")
        try session.perform([ModelEdit("rename Lair Cave")])
        let text = session.document.text
        #expect(session.undoName == "rename Lair Cave" && session.redoName == nil)
        session.undo()
        #expect(session.undoName == "lairs" && session.redoName == "rename Lair Cave")
        session.undo()
        #expect(session.document.text == EditedSource.text && session.undoName == nil)
        let redone = [session.redo(), session.redo(), session.redo()]
        #expect(redone == [true, true, false])
        #expect(session.document.text == text)
        session.undo()
        try session.perform([ModelEdit("set Hero.age optional=NO")])
        #expect(session.redoName == nil && session.undoName == "set Hero.age optional=NO")
    }

    @Test func editsThatChangeNothingAreNoStep() throws {
        var session = ModelEditSession(try EditedSource.document())
        try session.perform([ModelEdit("set Hero.age optional=YES")])
        try session.perform([ModelEdit("add entity Lair"), ModelEdit("remove Lair")])
        #expect(session.undoName == nil && session.document.text == EditedSource.text)
    }

    @Test func aStepMayPassThroughWhatIsNoModel() throws {
        var session = ModelEditSession(try EditedSource.document())
        try session.perform([
            ModelEdit("add relationship Hero.boss"), ModelEdit("set Hero.boss destination=Hero"),
        ])
        #expect(session.document.text.contains(#"name="boss""#))
        #expect(throws: ModelEditError.self) {
            try session.perform([ModelEdit("add entity A"), ModelEdit("add relationship Hero.x")])
        }
        #expect(!session.document.text.contains(#""A""#))
    }

    @Test func brokenModelCanBeRepairedAndNotBrokenFurther() throws {
        let broken = EditedSource.text.replacing(#"inverseName="powers""#, with: #"inverseName="nothing""#)
        var session = ModelEditSession(try EditedSource.document(broken))
        let error = #expect(throws: ModelEditError.self) { try session.perform([ModelEdit("add entity Lair")]) }
        #expect(error?.cause.contains("also before") == true)
        try session.perform([ModelEdit("set Power.hero inverse=powers")])
        #expect(session.document.text == EditedSource.text)
    }

    @Test("errors that a check newly finds are reported, and those that were there are not (TOOL-06)")
    func newErrorsAreReported() throws {
        var session = ModelEditSession(try EditedSource.document())
        func found(after edits: String...) throws -> [String] {
            let before = session.document
            try session.perform(edits.map { try ModelEdit($0) })
            return ModelEditSession.newFindings(in: session.document, since: before)
        }
        let lost = try found(after: "remove Hero.age")
        #expect(lost.contains { $0.contains("'age'") && $0.hasSuffix("[predicate-unknown-key]") }, "\(lost)")
        let none = try found(after: "add entity Lair")
        let pattern = try found(after: "set Hero.name regex='['")
        #expect(none.isEmpty && pattern.count == 1, "\(none) \(pattern)")
        #expect(try found(after: "set Hero.name regex=", "add attribute Hero.age type=int16").isEmpty)
    }

    @Test("steps are applied to what another program has written, and those that do not apply are reported (TOOL-06)")
    func stepsAreAppliedToWhatAnotherProgramHasWritten() throws {
        var session = ModelEditSession(try EditedSource.document())
        try session.perform([ModelEdit("add attribute Hero.alias type=String")], name: "alias")
        try session.perform([ModelEdit("set Power.name optional=YES")])
        try session.perform([ModelEdit("add attribute Sidekick.rank type=int16")], name: "rank")
        let other = try EditedSource.edited("rename Hero Champion", "set Champion.age optional=NO", "remove Power.name")
        let (merged, refused) = session.rebased(onto: other)
        #expect(refused.map(\.name) == ["alias", "set Power.name optional=YES"], "\(refused)")
        #expect(refused[0].reason.contains("Hero"))
        #expect(merged.document.text.contains("Champion") && merged.document.text.contains("\"rank\""))
        #expect(merged.undoName == "rank")
        var undone = merged
        undone.undo()
        #expect(undone.document == other)
        #expect(session.document.text.contains("alias"))
    }

    @Test func outlineTellsOnlyWhatDiffers() throws {
        let before = try EditedSource.document()
        let after = try EditedSource.edited("rename Power Strength", "add fetch-request requests/all entity=Sidekick")
        let (changed, removed) = after.outline(since: before)
        #expect(
            Set(changed.map { "\($0.item)" }) == ["Hero", "Strength", "requests/all", "requests/strong"]
                || Set(changed.map { "\($0.item)" }) == ["Hero", "Strength", "requests/all"])
        #expect(removed.map { "\($0)" } == ["Power"])
        let hero = try #require(before.outline.first)
        #expect(hero.kind == .entity && hero.parts.count == 9 && hero.value("codegen") == "class")
        #expect(hero.parts.first { $0.item.name == "age" }?.value("default") == "0")
        #expect(after.outline(since: after).changed.isEmpty)
    }

    @Test func theOldestStepsAreForgotten() throws {
        var session = ModelEditSession(try EditedSource.document())
        for number in 0..<(ModelEditSession.greatestStepCount + 5) {
            try session.perform([ModelEdit("set . identifier=\(number)")])
        }
        var count = 0
        while session.undo() { count += 1 }
        #expect(count == ModelEditSession.greatestStepCount)
    }

    @Test func differenceIsThatOfDiff() throws {
        let new = try EditedSource.edited("set Hero.age optional=NO", "set . identifier=7").text
        let text = UnifiedDiff(path: "contents", from: EditedSource.text, to: new).text
        #expect(text.hasPrefix("--- contents\n+++ contents\n@@ -1,7 +1,7 @@\n <?xml"))
        #expect(
            UnifiedDiff(path: "a", from: "x\ny", to: "x\nz").text
                == "--- a\n+++ a\n@@ -1,2 +1,2 @@\n x\n-y\n\\ No newline at end of file\n+z\n\\ No newline at end of file\n"
        )
        #expect(UnifiedDiff(path: "a", from: "", to: "x\n").text == "--- /dev/null\n+++ a\n@@ -0,0 +1,1 @@\n+x\n")
        #expect(UnifiedDiff(path: "a b", from: "y\n", to: "x\n").text.hasPrefix("--- a b\t\n+++ a b\t\n@@"))
        let long = (0..<30).map { "\($0)\n" }.joined()
        let both = long.replacing("3\n", with: "", maxReplacements: 1).replacing("25\n", with: "25\nx\n")
        let hunks = UnifiedDiff(path: "a", from: long, to: both).text
        #expect(hunks.contains("@@ -1,7 +1,6 @@") && hunks.contains("@@ -24,6 +23,7 @@"))
    }
}
