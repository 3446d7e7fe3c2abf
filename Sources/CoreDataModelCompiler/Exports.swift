@_exported import CoreDataModeling
