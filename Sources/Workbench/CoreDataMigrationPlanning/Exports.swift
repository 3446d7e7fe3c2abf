@_exported import CoreDataTransfer
