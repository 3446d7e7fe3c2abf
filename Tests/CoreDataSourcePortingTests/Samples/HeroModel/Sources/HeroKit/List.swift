import Foundation
import CoreData

class HeroList: NSObject, NSFetchedResultsControllerDelegate {
    var controller: NSFetchedResultsController<Hero>!
    var moves: [(IndexPath, IndexPath)] = []
    private var observation: NSKeyValueObservation?

    init(context: NSManagedObjectContext) {
        super.init()
        let request: NSFetchRequest<Hero> = Hero.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Hero.name, ascending: true)]
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context,
            sectionNameKeyPath: #keyPath(Hero.name), cacheName: nil)
        controller.delegate = self
    }

    func watch(_ hero: Hero) {
        observation = hero.observe(\.name, options: [.old, .new]) { hero, change in
            print(change.newValue as Any, hero.objectID)
        }
    }

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {}

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        switch type {
        case .insert, .delete, .update: break
        case .move: if let old = indexPath, let new = newIndexPath { moves.append((old, new)) }
        @unknown default: break
        }
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange sectionInfo: NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {}

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {}
}
