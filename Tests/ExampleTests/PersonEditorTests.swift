import CoreData
import StoreContract
import Testing

@testable import RandomPeopleSample

@MainActor @Suite struct PersonEditorTests {
    @Test("Done saves an edited person, whom the list then shows (SAMPLE-08)", arguments: StoreKind.all)
    func doneSaves(kind: StoreKind) throws {
        let store = try PeopleStack(kind)
        defer { withExtendedLifetime(store) {} }
        let person = try store.add("Mary", "Jones")
        let editor = try store.editor(of: person)
        #expect(editor.title == "Edit person" && editor.isOpen && editor.person !== person)
        try editor.set(.firstName, to: "Susan")
        try editor.set(.dateOfBirth, to: "1975-03-02")
        try editor.set(.eyeColor, to: "light grey")
        #expect(try store.names() == ["Mary Jones"])
        try editor.done()
        #expect(!editor.isOpen && person.firstName == "Mary")
        #expect(try store.names() == ["Susan Jones"])
        #expect(person.firstName == "Susan" && person.yearOfBirth == 1975)
        #expect(PersonField.dateOfBirth.text(of: person) == "1975-03-02")
        let reloaded = try #require(try store.reopened().list.people().first)
        #expect(PersonField.allCases.map { $0.text(of: reloaded) } == ["Susan", "Jones", "1975-03-02", "light grey"])
    }

    @Test("Done adds one new person; Cancel adds none (SAMPLE-08)", arguments: StoreKind.all)
    func addingPeople(kind: StoreKind) throws {
        let store = try PeopleStack(kind)
        defer { withExtendedLifetime(store) {} }
        for isKept in [true, false] {
            let editor = store.editorOfNobody()
            #expect(editor.title == "Add person" && editor.undoTitle == nil)
            try editor.set(.firstName, to: "Amit")
            if isKept { try editor.done() } else { editor.cancel() }
            #expect(!editor.isOpen)
            #expect(try store.names() == ["Amit"])
        }
        #expect(try store.reopened().names() == ["Amit"])
    }

    @Test("a failure gives a message and the editor stays, until it is repaired (SAMPLE-08)", arguments: StoreKind.all)
    func failureStays(kind: StoreKind) throws {
        let store = try PeopleStack(kind)
        defer { withExtendedLifetime(store) {} }
        let editor = store.editorOfNobody()
        try editor.set(.lastName, to: "Dickens")
        try editor.set(.dateOfBirth, to: "2999-01-01")
        for _ in 0..<2 {
            let complaint = #expect(throws: Complaint.self) { try editor.done() }
            #expect(complaint?.description == "You must supply a first name")
            #expect(editor.isOpen && PersonField.lastName.text(of: editor.person) == "Dickens")
            #expect(try store.names().isEmpty)
        }
        // What the rule has corrected while it was tried to save is no step.
        #expect(editor.undoTitle == "Undo Date of Birth")
        editor.undo()
        #expect(editor.undoTitle == "Undo Last Name" && editor.person.dateOfBirth == nil)
        try editor.set(.firstName, to: "Anne")
        try editor.done()
        #expect(try store.names() == ["Anne Dickens"])
    }

    @Test("Cancel leaves no trace, also after a failure (SAMPLE-08)", arguments: StoreKind.all)
    func cancelLeavesNoTrace(kind: StoreKind) throws {
        let store = try PeopleStack(kind)
        defer { withExtendedLifetime(store) {} }
        let person = try store.add("Mary", "Jones", EyeColor.named("blue"))
        let editor = try store.editor(of: person)
        for field in PersonField.allCases { try editor.set(field, to: "") }
        #expect(throws: Complaint.self) { try editor.done() }
        editor.cancel()
        #expect(!editor.isOpen && !editor.person.hasChanges && editor.person.fullName == "Mary Jones")
        #expect(try store.names() == ["Mary Jones"])
        let next = try store.editor(of: person)
        try next.set(.firstName, to: "Jane")
        try next.done()
        let saved = try #require(try store.reopened().list.people().first)
        #expect(PersonField.allCases.map { $0.text(of: saved) } == ["Jane", "Jones", "1980-05-01", "blue"])
    }

    @Test(
        "each field is one step of undo and redo, with all that goes with it (SAMPLE-08)", arguments: StoreKind.all,
        [PeopleModel.colorData, .transformable])
    func eachFieldIsOneStepOfUndoAndRedo(kind: StoreKind, version: PeopleModel) throws {
        let store = try PeopleStack(kind, version)
        defer { withExtendedLifetime(store) {} }
        let editor = try store.editor(of: try store.add("Mary", "Jones", EyeColor.named("blue")))
        let person = editor.person
        func state() -> [String] { PersonField.allCases.map { $0.text(of: person) } + ["\(person.yearOfBirth)"] }
        let edits: [(PersonField, String)] = [
            (.firstName, "Susan"), (.lastName, "Patel"), (.dateOfBirth, "1999-12-31"), (.eyeColor, "green"),
            (.firstName, ""),
        ]
        var states = [state()]
        for (field, text) in edits {
            try editor.set(field, to: text)
            states.append(state())
        }
        #expect(states.last == ["", "Patel", "1999-12-31", "green", "1999"])
        for _ in 0..<2 {
            for (edit, former) in zip(edits, states).reversed() {
                #expect(editor.undoTitle == "Undo \(edit.0.title)")
                editor.undo()
                #expect(state() == former)
            }
            #expect(editor.undoTitle == nil && !person.hasPersistentChangedValues)
            for (edit, later) in zip(edits, states.dropFirst()) {
                #expect(editor.redoTitle == "Redo \(edit.0.title)")
                editor.redo()
                #expect(state() == later)
            }
            #expect(editor.redoTitle == nil)
        }
        editor.undo()
        try editor.done()
        let saved = try #require(try store.reopened().list.people().first)
        #expect(PersonField.allCases.map { $0.text(of: saved) } + ["\(saved.yearOfBirth)"] == states[4])
    }

    @Test("the colour kept as data survives undo followed by Done (SAMPLE-08)", arguments: StoreKind.all)
    func undoneColor(kind: StoreKind) throws {
        let store = try PeopleStack(kind, .colorData)
        defer { withExtendedLifetime(store) {} }
        let editor = try store.editor(of: try store.add("Mary", "Jones", EyeColor.named("blue")))
        try editor.set(.eyeColor, to: "green")
        editor.undo()
        try editor.set(.firstName, to: "Jane")
        try editor.done()
        let saved = try #require(try store.reopened().list.people().first)
        #expect(saved.eyeColor == EyeColor.named("blue") && saved.firstName == "Jane")
    }

    @Test("the steps are cleared on leaving, and nothing can be edited then (SAMPLE-08)", arguments: StoreKind.all)
    func stepsAreCleared(kind: StoreKind) throws {
        let store = try PeopleStack(kind)
        defer { withExtendedLifetime(store) {} }
        let person = try store.add("Mary", "Jones")
        for isDone in [true, false] {
            let editor = try store.editor(of: person)
            try editor.set(.lastName, to: "Ali")
            try editor.set(.lastName, to: "Smith")
            editor.undo()
            #expect(editor.undoTitle != nil && editor.redoTitle != nil)
            if isDone { try editor.done() } else { editor.cancel() }
            #expect(editor.undoTitle == nil && editor.redoTitle == nil)
            editor.undo()
            editor.redo()
            try editor.set(.lastName, to: "Adams")
            try editor.done()
            editor.cancel()
            #expect(editor.person.lastName == "Ali")
            #expect(try store.names() == ["Mary Ali"])
        }
    }

    @Test(
        "a text that a field cannot hold is refused at once and adds no undo step (SAMPLE-08)", arguments: StoreKind.all
    )
    func unreadableTexts(kind: StoreKind) throws {
        let editor = try PeopleStack(kind).editorOfNobody()
        for (field, text) in [(PersonField.dateOfBirth, "yesterday"), (.dateOfBirth, "1980-13-01"), (.eyeColor, "red")]
        {
            #expect(throws: Complaint.self, "\(text)") { try editor.set(field, to: text) }
        }
        #expect(editor.undoTitle == nil && editor.person.dateOfBirth == nil && editor.person.eyeColor == nil)
    }

    @Test(
        "the second of two editors of one person reports the conflict and stays open (SAMPLE-08)",
        arguments: StoreKind.all)
    func twoEditors(kind: StoreKind) throws {
        let store = try PeopleStack(kind)
        defer { withExtendedLifetime(store) {} }
        let person = try store.add("Mary", "Jones")
        let (first, second) = (try store.editor(of: person), try store.editor(of: person))
        try first.set(.firstName, to: "Anne")
        try second.set(.firstName, to: "Jane")
        try first.done()
        let complaint = #expect(throws: Complaint.self) { try second.done() }
        #expect(complaint?.description.isEmpty == false && second.isOpen)
        second.cancel()
        #expect(try store.names() == ["Anne Jones"])
    }
}
