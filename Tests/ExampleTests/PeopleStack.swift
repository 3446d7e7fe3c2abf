import CoreData
import StoreContract

@testable import RandomPeopleSample

/// A store of random people with the list's context.
struct PeopleStack {
    let stack: Stack
    let list: PeopleList

    init(_ kind: StoreKind, _ version: PeopleModel = .transformable) throws {
        self.init(try Stack(try version.load(), kind: kind))
    }

    private init(_ stack: Stack) {
        self.stack = stack
        list = PeopleList(context: stack.context)
    }

    /// The same store, opened anew.
    func reopened() throws -> PeopleStack { PeopleStack(try stack.reopened()) }

    /// Saves a person born on the first of May 1980.
    @discardableResult
    func add(_ firstName: String, _ lastName: String, _ color: EyeColor? = nil) throws -> AWPerson {
        let person = AWPerson.blank(in: list.context)
        (person.firstName, person.lastName, person.eyeColor) = (firstName, lastName, color)
        person.dateOfBirth = Self.mayDay
        try list.context.save()
        return person
    }

    @MainActor func editor(of person: AWPerson) throws -> PersonEditor {
        try .editing(person.objectID, in: stack.coordinator)
    }

    @MainActor func editorOfNobody() -> PersonEditor { .adding(to: stack.coordinator) }

    /// The names in the order of the list.
    func names() throws -> [String] { try list.people().map(\.fullName) }

    static let mayDay = Date(timeIntervalSince1970: 325_987_200)
}
