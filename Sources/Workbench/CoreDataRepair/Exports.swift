@_exported import CoreDataWorkbench
