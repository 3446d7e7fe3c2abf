import CoreData

extension AWPerson {
    static let firstNames = ["John", "Jane", "Adam", "Amit", "Peter", "Mary", "Susan", "Anne", "Jeffery", "Mohammed"]
    static let lastNames = ["Smith", "Patel", "Jones", "Adams", "Peterson", "Jackson", "Ali", "Jefferson", "Dickens"]
    private static let longestLife = 100 * 365

    /// Inserts a person of chance: names of the lists, born on some day of the last hundred years.
    static func random(
        in context: NSManagedObjectContext, using generator: inout some RandomNumberGenerator
    ) -> AWPerson {
        let person = blank(in: context)
        person.firstName = firstNames.randomElement(using: &generator)
        person.lastName = lastNames.randomElement(using: &generator)
        person.eyeColor = EyeColor.all.randomElement(using: &generator)?.color
        let age = Int.random(in: 1...longestLife, using: &generator)
        let calendar = Calendar.ofBirthdays
        person.dateOfBirth = calendar.date(byAdding: .day, value: -age, to: calendar.startOfDay(for: Date()))
        return person
    }

    /// Inserts a person of whom nothing is known, of the class that the context's model names.
    static func blank(in context: NSManagedObjectContext) -> AWPerson {
        guard
            let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context) as? AWPerson
        else { fatalError("the model's entity Person does not name AWPerson or a subclass as its class") }
        return person
    }
}
