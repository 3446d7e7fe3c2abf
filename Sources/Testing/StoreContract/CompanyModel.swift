import CoreDataGraph
import TestBasics

/// A model with relationships of every shape: departments, employees and managers, projects, tasks, addresses.
package enum CompanyModel {
    /// Creates a new instance of the model.
    package static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        for name in ["Department", "Employee", "Project", "Task", "Address", "Notice"] {
            builder.entity(name, ["name": .stringAttributeType])
        }
        builder.entity("Manager", in: "Employee", ["level": .integer32AttributeType])
        builder.relationships("Department.employees*", "Employee.department")
        builder.relationships("Department.head", "Manager.heads")
        builder.relationships("Department.tasks*!", "Task.department")
        builder.relationships("Employee.projects*", "Project.members*")
        builder.relationships("Project.reviewers*!", "Employee.reviews*!")
        builder.relationships("Employee.address", "Address.resident")
        builder.relationships("Employee.reports*", "Employee.superior")
        builder.reflexive("Employee.friends*")
        builder.relationship("Notice.readers*", to: "Employee")
        builder.relationship("Notice.subject", to: "Employee")
        return builder.model
    }

    /// Inserts a company with `count` employees and random relationships determined by a seed, and saves the context.
    package static func fill(_ context: NSManagedObjectContext, employees count: Int, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let departments = make("Department", count: max(1, count / 10), context: context)
        let projects = make("Project", count: max(1, count / 5), context: context)
        let employees = (0..<count).map { number in
            context.insert(number % 7 == 0 ? "Manager" : "Employee", ["name": "Employee \(number)"])
        }
        for employee in employees {
            if random.next(below: 10) > 0 {
                employee.setValue(departments[random.next(below: departments.count)], forKey: "department")
            }
            if random.next(below: 3) > 0 {
                employee.setValue(context.insert("Address", ["name": "Street"]), forKey: "address")
            }
            employee.setValue(NSSet(array: some(projects, &random)), forKey: "projects")
            employee.setValue(NSSet(array: some(employees, &random)), forKey: "friends")
            employee.setValue(some(employees, &random).first, forKey: "superior")
        }
        for project in projects {
            project.setValue(NSOrderedSet(array: some(employees, &random)), forKey: "reviewers")
        }
        for department in departments {
            let tasks = make("Task", count: random.next(below: 6), context: context).shuffled(using: &random)
            department.setValue(NSOrderedSet(array: tasks), forKey: "tasks")
            department.setValue(employees[7 * random.next(below: (count + 6) / 7)], forKey: "head")
        }
        for notice in make("Notice", count: departments.count, context: context) {
            notice.setValue(some(employees, &random).first, forKey: "subject")
            notice.setValue(NSSet(array: some(employees, &random)), forKey: "readers")
        }
        try context.save()
    }

    private static func make(_ entity: String, count: Int, context: NSManagedObjectContext) -> [NSManagedObject] {
        (0..<count).map { context.insert(entity, ["name": "\(entity) \($0)"]) }
    }

    /// Up to four different random objects, in random order.
    private static func some(_ objects: [NSManagedObject], _ random: inout SeededRandom) -> [NSManagedObject] {
        let wanted = (0..<random.next(below: 5)).map { _ in objects[random.next(below: objects.count)] }
        return NSOrderedSet(array: wanted).array.compactMap { $0 as? NSManagedObject }
    }
}
